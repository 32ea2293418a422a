import type { ApprovalKind } from '../../domain/host/approvals.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import { type ListedMemory, listIn } from '../../domain/host/memory.js';
import { sha256 } from '../../node/files/sha256.js';
import type { ApprovalLedger } from './approval-ledger.js';

/** Where the memory of the program says which kinds were taken over from it: this outlasts the ledger, should the user delete that. */
const KEY = 'gnomon.approvals.takenOver';

/** Source of approvals to migrate. */
export interface EarlierApprovals {
  /** All kinds that there are. */
  readonly kinds: readonly ApprovalKind<unknown>[];
  readonly memory: HostPorts['memory'];
  /** Absolute path of the folder for what is kept of this workspace: it names the memory of this workspace. */
  readonly storage: string;
  /** Names this workspace in the ledger. */
  readonly workspace: string;
}

/**
 * Takes over the approvals that versions before the ledger kept in the memory of the program. That is done once for each memory: what an earlier version
 * adds there later is not taken over, and what was revoked in the ledger does not come back. The memory stays as it is for earlier versions.
 * @throws Error with a sentence for the user when the ledger cannot be read or written; it is tried again by the next window then
 */
export async function takeOverEarlier(ledger: Pick<ApprovalLedger, 'takeOver'>, { kinds, memory, storage, workspace }: EarlierApprovals): Promise<void> {
  await takeFrom(
    memory.global,
    kinds.filter(({ perWorkspace }) => !perWorkspace),
    { ledger, workspace, markOf: ({ name }) => name },
  );
  const markOf = ({ name }: ApprovalKind<unknown>): string => `${name} ${sha256(storage)}`;
  await takeFrom(
    memory.workspace,
    kinds.filter(({ perWorkspace }) => perWorkspace),
    { ledger, workspace, markOf },
  );
}

interface Taking extends Pick<EarlierApprovals, 'workspace'> {
  readonly ledger: Pick<ApprovalLedger, 'takeOver'>;
  readonly markOf: (kind: ApprovalKind<unknown>) => string;
}

async function takeFrom(memory: ListedMemory, kinds: readonly ApprovalKind<unknown>[], { ledger, workspace, markOf }: Taking): Promise<void> {
  const taken = listIn(memory, KEY);
  const open = kinds.filter(({ name }) => !taken.includes(name));
  if (open.length === 0) return;
  const found = open.map((kind) => ({ kind, workspace, mark: markOf(kind), values: kind.earlier(memory).flatMap((value) => kind.read(value) ?? []) }));
  // There are as many memories as workspaces, so of those with nothing to take over the ledger keeps no note.
  const taking = found.filter(({ kind, values }) => !kind.perWorkspace || values.length > 0);
  if (taking.length > 0) await ledger.takeOver(taking);
  await memory.update(KEY, [...taken, ...open.map(({ name }) => name)]);
}
