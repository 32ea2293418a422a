import * as os from 'node:os';
import type * as vscode from 'vscode';
import type { Log } from '../../domain/log.js';
import { ruleProblems } from '../../permission/rules/rule-set.js';
import { SessionRules } from '../../permission/rules/session-rules.js';
import { foldersOfWindow } from '../workspace/folders.js';
import { AcceptedEdits } from './accepted-edits.js';
import { ApprovalQueue } from './approval-queue.js';
import { BypassConfirmation } from './bypass-confirmation.js';
import { WindowIncludeConsent } from './include-consent.js';
import { type WindowRules, createRuleBook } from './rules/create-rule-book.js';
import { TurnGrants } from './turn-grants.js';
import type { TurnGrant } from '../../domain/tool/turn-grant.js';
import { managePermissions } from './manage-permissions.js';
import type { WindowLayers } from '../config/window-layers.js';
import type { WindowSettings } from '../config/window-settings.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { type WorkspaceTrust, createWorkspaceTrust } from './workspace-trust.js';

/** All of permission that is about this window and not about a single call. */
export interface WindowPermissions extends WindowRules {
  readonly trust: WorkspaceTrust;
  readonly bypass: BypassConfirmation;
  readonly acceptedEdits: AcceptedEdits;
  /** Which files from outside instructions may include. */
  readonly includes: WindowIncludeConsent;
  /** Which conversations wait for the user. */
  readonly queue: ApprovalQueue;
  /** The rules of one session only. */
  readonly sessionRules: SessionRules;
  /** What the user has approved of what skills and commands name. */
  readonly grants: TurnGrants;
  /** Lets the user manage the rules, also those of a session and of the turn that runs in it. */
  readonly manage: (session: { readonly id: string; readonly grants: readonly TurnGrant[] }) => Promise<void>;
}

/** Dependencies of {@link createPermissions}. */
export interface PermissionsDeps {
  readonly layers: WindowLayers;
  readonly windowSettings: WindowSettings;
  readonly log: Log;
}

/** Permission in this window. Tells the user at once what waits for them in the settings. */
export function createPermissions(context: vscode.ExtensionContext, { layers, windowSettings, log }: PermissionsDeps): WindowPermissions {
  const trust = createWorkspaceTrust();
  const check = ruleProblems;
  const rules = createRuleBook({ context, layers, trust, check, log });
  void rules.refresh();
  const sessionRules = new SessionRules();
  const grants = new TurnGrants({ storage: context.globalState, trusted: trust.trusted, folders: foldersOfWindow, home: os.homedir() });
  return {
    ...rules,
    trust,
    bypass: new BypassConfirmation({ dialogs: vscodeDialogs, trusted: trust.trusted, settings: windowSettings }),
    acceptedEdits: new AcceptedEdits(context.workspaceState, windowSettings.permissionMode),
    includes: new WindowIncludeConsent(vscodeDialogs, context.workspaceState, log),
    queue: new ApprovalQueue(() => performance.now()),
    sessionRules,
    grants,
    manage: ({ id, grants: ofTurn }) => managePermissions({ ...rules, check, grants, session: { id, rules: sessionRules, grants: ofTurn } }),
  };
}
