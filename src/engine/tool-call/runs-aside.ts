import type { Judgment } from '../../domain/tool/permission.js';
import { type Plan, isReadOnly } from '../../domain/tool/tool.js';
import type { EndedCall, PlannedCall } from './tool-call.js';

/** Whether a prepared call may run in parallel with others: it needs no approval, and only reads, or has another agent work. */
export function runsAside(prepared: PlannedCall | EndedCall): prepared is PlannedCall {
  return (
    'judgment' in prepared &&
    prepared.judgment.type === 'allow' &&
    (isReadOnly(prepared.plan) || isHeldReading(prepared.plan, prepared.judgment) || isDownload(prepared.plan) || isSpawn(prepared.plan))
  );
}

/** Whether a command is known to only read, and is kept to that by the sandbox: neither is enough alone. */
function isHeldReading({ foreign, changes, accesses }: Plan, { readsOnly, confined }: Extract<Judgment, { type: 'allow' }>): boolean {
  const known = foreign === undefined && changes.length === 0 && accesses.every(({ kind }) => kind === 'read' || kind === 'execute');
  return known && readsOnly === true && confined !== undefined && confined.work === undefined;
}

/** Whether a call has another agent work, and does nothing else. Agents that change one file are told apart by what each of them has read. */
function isSpawn({ foreign, changes, accesses }: Plan): boolean {
  return foreign === undefined && changes.length === 0 && accesses.length > 0 && accesses.every(({ kind }) => kind === 'spawn');
}

/** Whether a call gets something from the network, and does nothing else. */
function isDownload({ foreign, changes, accesses, preview }: Plan): boolean {
  return (
    foreign === undefined &&
    changes.length === 0 &&
    (preview.kind === 'url' || preview.kind === 'search') &&
    accesses.length > 0 &&
    accesses.every(({ kind }) => kind === 'network')
  );
}
