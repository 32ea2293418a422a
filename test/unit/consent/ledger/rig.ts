import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApprovalLedger, LEDGER_NAME } from '../../../../src/consent/ledger/approval-ledger.js';
import type { ApprovalKind } from '../../../../src/domain/host/approvals.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { MemoryLog } from '../../engine/rig.js';
import { ScriptedDialogs } from '../rig.js';

/** Something that a user may approve: a name, and what was approved of it. */
export interface Thing {
  readonly name: string;
  readonly text: string;
}

/** A kind of such things. */
export function kindOf(
  name: string,
  { most = 10, perWorkspace = false }: { readonly most?: number; readonly perWorkspace?: boolean } = {},
): ApprovalKind<Thing> {
  return { name, most, perWorkspace, read, subjectOf: (thing) => thing.name, earlier: (memory) => (memory.get(`earlier.${name}`) ?? []) as readonly unknown[] };
}

function read(value: unknown): Thing | undefined {
  if (typeof value !== 'object' || value === null || !('name' in value) || !('text' in value)) return undefined;
  const { name, text } = value;
  return typeof name === 'string' && typeof text === 'string' ? { name, text } : undefined;
}

export const THINGS = kindOf('thing');

export function thing(name: string, text = 'as it is'): Thing {
  return { name, text };
}

/** The storage that the windows of a user share. */
export class SharedStorage {
  readonly folder = join(temporaryFolder(), 'storage');
  readonly file = join(this.folder, LEDGER_NAME);

  constructor() {
    mkdirSync(this.folder);
  }

  /** Another window, or another program. */
  window(workspace = '/w'): { readonly ledger: ApprovalLedger; readonly dialogs: ScriptedDialogs; readonly log: MemoryLog } {
    const [dialogs, log] = [new ScriptedDialogs(), new MemoryLog()];
    return { ledger: new ApprovalLedger({ folder: this.folder, workspace: () => workspace, dialogs, log }), dialogs, log };
  }

  put(text: string): void {
    writeFileSync(this.file, text, { mode: 0o600 });
  }

  get text(): string {
    return readFileSync(this.file, 'utf8');
  }

  /** Names in the folder, without that of the locks. */
  get names(): readonly string[] {
    return readdirSync(this.folder).filter((name) => name !== 'locks');
  }
}

/** Names of the things that are approved, the newest first. */
export function namesIn(ledger: ApprovalLedger, kind: ApprovalKind<Thing> = THINGS): readonly string[] {
  return ledger
    .of(kind)
    .list()
    .map(({ name }) => name);
}
