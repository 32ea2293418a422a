import * as os from 'node:os';
import type { Approvals } from '../domain/host/approvals.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { Log } from '../domain/log.js';
import { SessionRules } from '../permission/rules/session-rules.js';
import { ACCEPTED_EDITS, AcceptedEdits } from './accepted-edits.js';
import { ApprovalQueue } from './approval-queue.js';
import { BypassConfirmation } from './bypass-confirmation.js';
import { ApprovedModels } from './model-uses.js';
import { INCLUDE_DECISIONS, WindowIncludeConsent } from './include-consent.js';
import type { ConsentPrompt } from './rules/consent-prompt.js';
import type { SettingsRuleBook } from './rules/settings-rule-book.js';
import { TurnGrants } from './turn-grants.js';
import type { FileSettings } from '../customization/settings.js';
import { mayWork, type WorkspaceTrust } from '../domain/host/folders.js';

/** The rules of a window, and what asks the user about those that wait. */
export interface PermissionRules {
  readonly book: SettingsRuleBook;
  readonly consent: ConsentPrompt;
  /** Reads the settings again, and notifies the user of new rules that need attention. Does not reject. */
  readonly refresh: () => Promise<void>;
}

/** All of permission that is about this window and not about a single call. */
export interface Permissions extends PermissionRules {
  readonly trust: WorkspaceTrust;
  readonly bypass: BypassConfirmation;
  readonly acceptedEdits: AcceptedEdits;
  /** Approvals of files outside of the workspace that instructions include. */
  readonly includes: WindowIncludeConsent;
  /** Conversations that need the user. */
  readonly queue: ApprovalQueue;
  /** The rules of one session only. */
  readonly sessionRules: SessionRules;
  /** Approved models of agents. */
  readonly modelUses: ApprovedModels;
  /** Approved rules of skills and commands. */
  readonly grants: TurnGrants;
}

/** Services of the window behind permissions: the rules, settings in files, and stored approvals. */
export interface PermissionsDeps {
  readonly rules: PermissionRules;
  readonly fileSettings: FileSettings;
  readonly approvals: Approvals;
  /** Whether the user need not be asked any more whether permissions may be bypassed. */
  readonly bypassConfirmed: boolean;
  readonly log: Log;
}

/** Permission in this window. Tells the user at once what waits for them in the settings. */
export function createPermissions(
  { folders, trust, dialogs }: HostPorts,
  { rules, fileSettings, approvals, bypassConfirmed, log }: PermissionsDeps,
): Permissions {
  void rules.refresh();
  return {
    ...rules,
    trust,
    bypass: new BypassConfirmation({ dialogs, works: () => mayWork(trust), settings: fileSettings, confirmed: bypassConfirmed }),
    acceptedEdits: new AcceptedEdits(approvals.of(ACCEPTED_EDITS), fileSettings.permissionMode, log),
    includes: new WindowIncludeConsent(dialogs, approvals.of(INCLUDE_DECISIONS), log),
    queue: new ApprovalQueue(() => performance.now()),
    sessionRules: new SessionRules(),
    modelUses: new ApprovedModels(approvals),
    grants: new TurnGrants({ approvals, trust, folders: folders.paths, home: os.homedir() }),
  };
}
