import type { SessionIdentity } from '../session/identity.js';
import type { Question } from './interaction.js';
import type { Judgment } from './permission.js';
import type { Plan } from './tool.js';

/** A call that waits for an answer of the user, or of a program that answers for them. */
export type Ask = AskedPermission | AskedQuestion;

/** A call as its model made it. */
export interface AskedCall {
  /** The name of the tool as the model wrote it. */
  readonly name: string;
  /** The arguments, before they were checked; the text of them where they are no JSON. An answer can give others in the same form. */
  readonly input: unknown;
}

/** A call that waits to be allowed. */
export interface AskedPermission {
  readonly kind: 'permission';
  readonly who: SessionIdentity;
  readonly callId: string;
  readonly call: AskedCall;
  /** The plan to run, which hooks, or an answer to an earlier prompt, may have changed from the model's call. */
  readonly plan: Plan;
  readonly judgment: Extract<Judgment, { type: 'ask' }>;
  /** Revision of the call's prompt, from 1; an answer names it, so that it cannot apply to another prompt. */
  readonly revision: number;
  /** Whether the plan is what an earlier answer made of the call. */
  readonly changed?: true;
  /** Why the last answer could not be followed, or what it has changed; a sentence for the user. */
  readonly problem?: string;
  /** Display name of the hook that replaced the plan. */
  readonly rewrittenBy?: string;
  /** Display names of hooks that decide at the same time, with commas between them: one that denies counts even after the user has allowed the call. */
  readonly deciding?: string;
}

/** A question of the model. */
export interface AskedQuestion {
  readonly kind: 'question';
  readonly who: SessionIdentity;
  readonly callId: string;
  readonly question: Question;
}

/** Names a call among those of a session and of all that work for it: the ids of calls are unique in one session only. */
export function idAmongAll({ who, callId }: { readonly who: SessionIdentity; readonly callId: string }): string {
  return who.worksFor === undefined ? callId : `${who.session}/${callId}`;
}

/** Pending approvals and questions of a session, oldest first. */
export interface AskSource {
  readonly waiting: readonly Ask[];
  /** Calls back after each change. Returns how to stop that. */
  readonly onDidChange: (listener: () => void) => () => void;
}
