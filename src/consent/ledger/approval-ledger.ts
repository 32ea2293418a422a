import { basename, join } from 'node:path';
import { Queue } from '../../concurrency/queue.js';
import { Signal } from '../../concurrency/signal.js';
import { createWriteLock } from '../../customization/write-lock.js';
import { errorMessage } from '../../domain/errors.js';
import type { ApprovalKind, Approvals, ApprovalStore } from '../../domain/host/approvals.js';
import type { Dialogs } from '../../domain/host/dialogs.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { WriteLock } from '../../node/config/rewrite-file.js';
import { type LedgerContent, LEDGER_AFTER_DAMAGE, type Selection, type TakenOver, changedLedger, valuesIn, withTakenOver } from './ledger-content.js';
import { LedgerFile, type LedgerReading } from './ledger-file.js';

/** Name of the file with all approvals. `special-files.json` has it, so that tools cannot reach the file. */
export const LEDGER_NAME = 'gnomon-approvals.json';

/** Services of the approvals file, which all windows share, and the workspace that approvals apply to. */
export interface LedgerDeps {
  /** Absolute path of the folder for what is kept of the user, whatever the workspace. */
  readonly folder: string;
  /** Names the workspace that is open now: the same in every program that opens it. */
  readonly workspace: () => string;
  readonly dialogs: Pick<Dialogs, 'notify'>;
  readonly log: Log;
}

/**
 * The user's approvals, in one file that all windows and all other programs of Gnomon share. Before each decision, it is compared with the file, so
 * that what was revoked elsewhere is not valid here either. Each change is made under a lock to the file as it is by then: nothing that others have
 * approved is lost, and nothing that they have revoked comes back. A file that cannot be read approves nothing.
 */
export class ApprovalLedger implements Approvals {
  private readonly file: LedgerFile;
  private readonly lock: WriteLock;
  private readonly queue = new Queue();
  private readonly changed = new Signal();
  readonly onDidChange = this.changed.subscribe;
  private telling: Promise<void> = Promise.resolve();
  private reading: LedgerReading;
  /** Parsed entries of {@link reading}, by kind and workspace. */
  private readonly known = new Map<string, unknown>();
  /** Problems that were shown to the user. */
  private readonly told = new Set<LedgerReading['state']>();

  constructor(private readonly deps: LedgerDeps) {
    const { folder, log } = deps;
    this.file = new LedgerFile(join(folder, LEDGER_NAME), log);
    this.lock = createWriteLock(join(folder, 'locks'), log);
    this.reading = this.file.read();
    this.tellProblem();
  }

  /** Absolute path of the file. */
  get path(): string {
    return this.file.path;
  }

  of<Value>(kind: ApprovalKind<Value>): ApprovalStore<Value> {
    const selection = (): Selection<Value> => ({ kind, workspace: this.deps.workspace() });
    return { list: () => this.list(selection()), change: (change) => this.rewrite((content) => changedLedger(content, selection(), change)) };
  }

  ready(): Promise<void> {
    this.look();
    return this.telling;
  }

  /**
   * Takes over what versions before the file kept, unless that was done before.
   * @throws Error with a sentence for the user when the file cannot be read or written
   */
  takeOver(all: readonly TakenOver<unknown>[]): Promise<void> {
    return this.rewrite((content) => all.reduce((ledger, each) => withTakenOver(ledger, each), content));
  }

  private list<Value>(selection: Selection<Value>): readonly Value[] {
    this.look();
    const { reading } = this;
    if (reading.state !== 'read') return [];
    const key = JSON.stringify([selection.kind.name, selection.workspace]);
    const known = this.known.get(key) as readonly Value[] | undefined;
    const values = known ?? valuesIn(reading.content, selection);
    this.known.set(key, values);
    return values;
  }

  /** Reads the file again if it has changed, and notifies listeners. */
  private look(): void {
    const stamp = this.file.stamp();
    if (stamp !== undefined && stamp === this.reading.stamp && this.reading.state !== 'unreadable') return;
    const before = this.reading;
    this.take(this.file.read());
    this.tellProblem();
    if (before.state === this.reading.state && before.stamp === this.reading.stamp) return;
    // The current caller finishes first: listeners read approvals in turn.
    this.telling = Promise.resolve().then(() => this.changed.emit());
  }

  private take(reading: LedgerReading): void {
    this.reading = reading;
    this.known.clear();
  }

  private rewrite(change: (content: LedgerContent) => LedgerContent): Promise<void> {
    return this.queue.run(() =>
      this.locked(async () => {
        const before = await this.current();
        const after = change(before);
        if (after === before) return;
        await this.file.write(after);
        this.take(this.file.read());
      }),
    );
  }

  private async locked(work: () => Promise<void>): Promise<void> {
    const held = await this.lock.take(this.path);
    if (held === undefined) throw new Error(t('Your approvals could not be saved: another window is writing them. Try again.'));
    try {
      await work();
    } finally {
      await held.release();
    }
  }

  /** Current content of the file, under the lock; a new ledger in place of a damaged one. */
  private async current(): Promise<LedgerContent> {
    this.look();
    const { reading } = this;
    if (reading.state === 'read') return reading.content;
    if (reading.state === 'damaged') return this.replaceDamaged();
    throw new Error(this.problem(reading));
  }

  private async replaceDamaged(): Promise<LedgerContent> {
    const aside = await this.file.keepDamaged();
    await this.file.write(LEDGER_AFTER_DAMAGE);
    this.take(this.file.read());
    this.deps.log.error(`The file with approvals was damaged and is kept as ${aside}`);
    this.tell(
      t(
        'Your saved approvals were damaged and no longer apply, so Gnomon asks again about the servers, ' +
          'hooks, and rules that you approved. The damaged file was kept as {0}; you can delete it.',
        basename(aside),
      ),
    );
    return LEDGER_AFTER_DAMAGE;
  }

  /** Sets a damaged file aside, and notifies the user once per window of one that cannot be read. */
  private tellProblem(): void {
    const { reading } = this;
    if (reading.state === 'read' || this.told.has(reading.state)) return;
    this.told.add(reading.state);
    if (reading.state !== 'damaged') return this.tell(this.problem(reading));
    void this.rewrite((content) => content)
      .catch((error: unknown) =>
        this.tell(t('Your saved approvals are damaged and could not be replaced: {0} Delete the file {1}.', errorMessage(error), this.path)),
      )
      .finally(() => this.told.delete('damaged'));
  }

  private problem(reading: LedgerReading): string {
    if (reading.state === 'newer')
      return t('Your approvals were saved by a newer version of Gnomon and do not apply in this one, which asks again. Update Gnomon to use them.');
    const reason = 'error' in reading ? errorMessage(reading.error) : '';
    return t('Gnomon cannot read your saved approvals, so it asks again about what you approved. Check the file {0}: {1}', this.path, reason);
  }

  private tell(text: string): void {
    this.deps.dialogs.notify('warning', text).catch((error: unknown) => this.deps.log.error('A problem with approvals could not be shown', error));
  }
}
