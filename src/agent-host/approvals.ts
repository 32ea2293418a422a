import { CHECK_APPROVALS } from '../checks/approval.js';
import { ACCEPTED_EDITS } from '../consent/accepted-edits.js';
import { INCLUDE_DECISIONS } from '../consent/include-consent.js';
import { MODEL_USES } from '../consent/model-uses.js';
import { ApprovalLedger } from '../consent/ledger/approval-ledger.js';
import { takeOverEarlier } from '../consent/ledger/take-over.js';
import { RULE_CONSENTS } from '../consent/rules/consents.js';
import type { ApprovalKind, Approvals } from '../domain/host/approvals.js';
import type { Disposable } from '../domain/host/disposable.js';
import type { Folders } from '../domain/host/folders.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { Log } from '../domain/log.js';
import { HOOK_APPROVALS } from '../hook/approval.js';
import { MCP_CONSENTS } from '../mcp/consent/consent-store.js';
import type { AgentHostPorts } from './host-ports.js';
import { TOOL_CHOICES } from './servers/tool-choices.js';

/** All kinds of approvals. */
const KINDS: readonly ApprovalKind<unknown>[] = [
  ...[RULE_CONSENTS, HOOK_APPROVALS, MCP_CONSENTS, TOOL_CHOICES, INCLUDE_DECISIONS, ACCEPTED_EDITS, MODEL_USES],
  CHECK_APPROVALS,
];

/** Stored approvals, kept in sync with their file. */
export type HostApprovals = Approvals & Disposable;

/** Ports that {@link createHostApprovals} uses. */
export interface ApprovalPorts
  extends Pick<HostPorts, 'folders' | 'dialogs' | 'memory' | 'keepWatching'>, Pick<AgentHostPorts, 'storage' | 'noEarlierApprovals'> {
  readonly log: Log;
}

/** Opens the approvals, and takes over those of earlier versions first. Without these, which are not valid until that works, all is asked for again. */
export async function createHostApprovals(ports: ApprovalPorts): Promise<HostApprovals> {
  const { folders, dialogs, memory, keepWatching, storage, log } = ports;
  const workspace = (): string => nameOf(folders);
  const ledger = new ApprovalLedger({ folder: storage.global, workspace, dialogs, log });
  // What a program that had none takes over would be noted in the ledger that it shares, and a window that has some would not take them over.
  if (ports.noEarlierApprovals !== true)
    await takeOverEarlier(ledger, { kinds: KINDS, memory, storage: storage.workspace, workspace: workspace() }).catch((error: unknown) =>
      log.error('Approvals of earlier versions could not be taken over', error),
    );
  const watching = keepWatching(
    () => ({ files: [ledger.path] }),
    () => void ledger.ready(),
  );
  return { of: (kind) => ledger.of(kind), ready: () => ledger.ready(), onDidChange: ledger.onDidChange, dispose: () => watching.dispose() };
}

/** Names the workspace by its folders, in whatever order they are: so that it is the same for every program that opens them. */
function nameOf({ all }: Pick<Folders, 'all'>): string {
  return JSON.stringify(
    all()
      .map(({ path, uri }) => path ?? uri)
      .sort(),
  );
}
