import { changedLedger, EMPTY_LEDGER, type LedgerContent, ledgerText, parseLedger, valuesIn } from '../../src/consent/ledger/ledger-content.js';
import type { ApprovalKind, Approvals, ApprovalStore } from '../../src/domain/host/approvals.js';

/** Approvals in memory, with the limits and the reading of the real ones: what is kept goes through the text of the file. */
export class MemoryApprovals implements Approvals {
  private text = ledgerText(EMPTY_LEDGER);
  readonly onDidChange = (): (() => void) => () => undefined;

  /** @param workspace names the one that is open */
  constructor(readonly workspace = '[]') {}

  of<Value>(kind: ApprovalKind<Value>): ApprovalStore<Value> {
    const selection = { kind, workspace: this.workspace };
    return {
      list: () => valuesIn(this.content, selection),
      change: (change) => {
        this.text = ledgerText(changedLedger(this.content, selection, change));
        return Promise.resolve();
      },
    };
  }

  ready(): Promise<void> {
    return Promise.resolve();
  }

  /** What the file would say. */
  get content(): LedgerContent {
    const content = parseLedger(this.text);
    if (typeof content === 'string') throw new Error(`The approvals are ${content}.`);
    return content;
  }

  /** Puts values there as they are, also such as are no approvals. */
  put(kind: ApprovalKind<unknown>, ...values: readonly unknown[]): void {
    const entries = values.map((value, index) => ({
      kind: kind.name,
      subject: `${index}`,
      ...(kind.perWorkspace ? { workspace: this.workspace } : {}),
      value,
    }));
    this.text = ledgerText({ ...this.content, entries: [...entries, ...this.content.entries] });
  }
}
