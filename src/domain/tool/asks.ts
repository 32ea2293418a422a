import type { SessionIdentity } from '../session/identity.js';
import type { Question } from './interaction.js';
import type { Judgment } from './permission.js';
import type { Plan } from './tool.js';

/** A call that goes on only when the user, or whoever answers for them, has said something. */
export type Ask = AskedPermission | AskedQuestion;

/** A call that waits to be allowed. */
export interface AskedPermission {
  readonly kind: 'permission';
  readonly who: SessionIdentity;
  readonly callId: string;
  readonly plan: Plan;
  readonly judgment: Extract<Judgment, { type: 'ask' }>;
  /** Which prompt of the call it is, from 1; an answer names it, so that none is taken for another one. */
  readonly revision: number;
}

/** A question of the model. */
export interface AskedQuestion {
  readonly kind: 'question';
  readonly who: SessionIdentity;
  readonly callId: string;
  readonly question: Question;
}

/** What waits in a session, oldest first. */
export interface AskSource {
  readonly waiting: readonly Ask[];
  /** Calls back after each change. Returns how to stop that. */
  readonly onDidChange: (listener: () => void) => () => void;
}
