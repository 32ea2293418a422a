import { join } from 'node:path';
import { Signal } from '../../concurrency/signal.js';
import { t } from '../../domain/l10n.js';
import type { TurnGrant } from '../../domain/tool/turn-grant.js';
import { realPathOf } from '../../node/files/real-path.js';
import { isWithin } from '../../node/files/within.js';
import { turnRulesIn } from '../../permission/rules/turn-rules.js';
import { Consents, type ConsentStorage, type ConsentSubject } from './rules/consents.js';

/**
 * What the user has said to a grant: `own` is one in the user’s folder for Gnomon, where nobody else puts files; `changed` was approved
 * before its list or its file changed; `nothing` has no rule that could count.
 */
export type GrantState = 'own' | 'approved' | 'waits' | 'changed' | 'nothing';

/** Dependencies of {@link TurnGrants}. */
export interface TurnGrantsDeps {
  readonly storage: ConsentStorage;
  readonly trusted: () => boolean;
  /** Absolute paths of the workspace folders. */
  readonly folders: () => readonly string[];
  /** Absolute path of the home folder. */
  readonly home: string;
}

/**
 * Which rules of skills and commands count in the turns in which these are used. What is approved is one list of one file with one content:
 * any other asks again. Approvals are out of reach of every workspace.
 */
export class TurnGrants {
  private readonly consents: Consents;
  private readonly deps: TurnGrantsDeps;
  private readonly changed = new Signal();
  /** Fires when something was approved or revoked. */
  readonly onDidChange = this.changed.subscribe;

  constructor(deps: TurnGrantsDeps) {
    this.deps = deps;
    this.consents = new Consents(deps.storage);
  }

  /** Whether the rules of a grant count now. */
  readonly approved = async (grant: TurnGrant): Promise<boolean> => {
    if (!this.deps.trusted()) return false;
    const state = await this.stateOf(grant);
    return state === 'own' || state === 'approved';
  };

  /** What the user has said to a grant, whether the workspace is trusted or not. */
  async stateOf(grant: TurnGrant): Promise<GrantState> {
    if (turnRulesIn(grant.rules).usable.length === 0) return 'nothing';
    if (await this.isOwn(grant)) return 'own';
    const subject = subjectOf(grant);
    if (this.consents.covers(subject, grant.rules)) return 'approved';
    return this.consents.given(subject).length > 0 ? 'changed' : 'waits';
  }

  /** Notes that the user has seen the list of a grant, and allows it. @throws Error where the workspace is not trusted */
  async approve(grant: TurnGrant): Promise<void> {
    if (!this.deps.trusted()) throw new Error(t('Nothing can be allowed before the workspace is trusted.'));
    await this.consents.give(subjectOf(grant), grant.rules);
    this.changed.emit();
  }

  /** Takes that back; it counts from the next call on. */
  async revoke(grant: TurnGrant): Promise<void> {
    await this.consents.withdraw(subjectOf(grant));
    this.changed.emit();
  }

  /** Links count by where they lead: what is linked into the folder of the user may be a downloaded one. */
  private async isOwn({ origin: { layer, file } }: TurnGrant): Promise<boolean> {
    if (layer !== 'user') return false;
    const { home, folders } = this.deps;
    const [real, own, ...open] = await Promise.all([file, join(home, '.gnomon'), ...folders()].map(realOr));
    return real !== undefined && own !== undefined && isWithin(own, real) && !open.some((each) => each === undefined || isWithin(each, real));
  }
}

function subjectOf({ kind, name, origin, digest }: TurnGrant): ConsentSubject {
  return { id: JSON.stringify([kind, name, origin.file]), content: digest };
}

/** Where a path leads; `undefined` for one that cannot be looked at, which is nobody’s own. */
function realOr(path: string): Promise<string | undefined> {
  return realPathOf(path).catch(() => undefined);
}
