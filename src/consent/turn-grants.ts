import { Signal } from '../concurrency/signal.js';
import { isFromRepository } from '../domain/config/origin.js';
import type { Approvals } from '../domain/host/approvals.js';
import { mayWork, type WorkspaceTrust } from '../domain/host/folders.js';
import { t } from '../domain/l10n.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import { isOwnFile } from '../node/config/own-file.js';
import { turnRulesIn } from '../permission/rules/turn-rules.js';
import { Consents, type ConsentSubject, RULE_CONSENTS } from './rules/consents.js';

/**
 * State of the user's approval of a grant: `own` is one in the user’s private folder for Gnomon; `changed` was approved
 * before its list or its file changed; `nothing` has no rule that could count.
 */
export type GrantState = 'own' | 'approved' | 'waits' | 'changed' | 'nothing';

/** Services that decide which rules of skills and commands apply: approvals, Workspace Trust, and folders. */
export interface TurnGrantsDeps {
  readonly approvals: Pick<Approvals, 'of' | 'onDidChange'>;
  readonly trust: Pick<WorkspaceTrust, 'trusted' | 'worksUntrusted' | 'needsNoApproval'>;
  /** Absolute paths of the workspace folders. */
  readonly folders: () => readonly string[];
  /** Absolute path of the home folder. */
  readonly home: string;
}

/**
 * Decides which rules of skills and commands apply in the turns in which these are used. What is approved is one list of one file with one content:
 * any other asks again. Approvals are out of reach of every workspace.
 */
export class TurnGrants {
  private readonly consents: Consents;
  private readonly changed = new Signal();
  /** Fires when something was approved or revoked. */
  readonly onDidChange = this.changed.subscribe;

  constructor(private readonly deps: TurnGrantsDeps) {
    this.consents = new Consents(deps.approvals.of(RULE_CONSENTS));
    deps.approvals.onDidChange(() => this.changed.emit());
  }

  /** Whether the rules of a grant count now. */
  readonly approved = async (grant: TurnGrant): Promise<boolean> => {
    if (!mayWork(this.deps.trust)) return false;
    const state = await this.stateOf(grant);
    return state === 'own' || state === 'approved';
  };

  /** State of the user's approval of a grant, whether the workspace is trusted or not. */
  async stateOf(grant: TurnGrant): Promise<GrantState> {
    if (turnRulesIn(grant.rules).usable.length === 0) return 'nothing';
    if (this.deps.trust.needsNoApproval === true && isFromRepository(grant.origin)) return 'approved';
    if (await isOwnFile(grant.origin, { home: this.deps.home, folders: this.deps.folders() })) return 'own';
    const subject = subjectOf(grant);
    if (this.consents.covers(subject, grant.rules)) return 'approved';
    return this.consents.given(subject).length > 0 ? 'changed' : 'waits';
  }

  /** Notes that the user has seen the list of a grant, and allows it. @throws Error where the workspace is not trusted */
  async approve(grant: TurnGrant): Promise<void> {
    if (!this.deps.trust.trusted()) throw new Error(t('Nothing can be allowed before the workspace is trusted.'));
    await this.consents.give(subjectOf(grant), grant.rules);
    this.changed.emit();
  }

  /** Takes that back; it counts from the next call on. */
  async revoke(grant: TurnGrant): Promise<void> {
    await this.consents.withdraw(subjectOf(grant));
    this.changed.emit();
  }
}

function subjectOf({ kind, name, origin, digest }: TurnGrant): ConsentSubject {
  return { id: JSON.stringify([kind, name, origin.file]), content: digest };
}
