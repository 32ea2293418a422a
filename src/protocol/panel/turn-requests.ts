import type { RuleScope } from '../../domain/tool/permission.js';
import { RULE_SCOPES } from '../../domain/tool/permission.js';
import { THINKING_EFFORTS } from '../../domain/model/provider.js';
import { MAX_COMMAND_LENGTH, MAX_FEEDBACK_LENGTH, MAX_RULE_LENGTH, MAX_RULES } from '../limits.js';
import type { NoticeAction } from '../view-state.js';
import { NOTICE_ACTIONS } from '../view-state.js';
import type { Shapes } from './shape.js';
import { count, id, listOf, oneOf, optional, text } from './shape.js';

const MAX_MODE_LENGTH = 64;
const MAX_CHOICES = 20;
const MAX_CHOICE_LENGTH = 2_000;
const ANSWERS: readonly string[] = ['allow', 'always', 'deny'];
const ACTIONS: readonly string[] = NOTICE_ACTIONS;

/** What a page asks for about the turn that runs, and how the next ones run. */
export type TurnRequest =
  | { readonly type: 'stop' }
  | { readonly type: 'set_model'; readonly model: string }
  | { readonly type: 'set_mode'; readonly mode: string }
  | { readonly type: 'set_effort'; readonly effort: string }
  /** Ends the wait before another attempt. */
  | { readonly type: 'retry_now' }
  | {
      readonly type: 'answer_approval';
      readonly callId: string;
      readonly answer: 'allow' | 'always' | 'deny';
      /** Which prompt of the call it answers, as the prompt says; absent for the first. */
      readonly revision?: number;
      /** With `deny`: what to do instead. */
      readonly feedback?: string;
      /** With `allow`: the command as the person changed it. */
      readonly command?: string;
      /** With `always`: the rules to add, and where. */
      readonly rules?: readonly string[];
      readonly scope?: RuleScope;
    }
  | {
      readonly type: 'answer_question';
      readonly callId: string;
      readonly choices: readonly string[];
      readonly text?: string;
    }
  | { readonly type: 'dismiss_question'; readonly callId: string }
  | { readonly type: 'notice_action'; readonly action: NoticeAction };

/** Their fields. */
export const TURN_SHAPES: Shapes<TurnRequest> = {
  stop: {},
  set_model: { model: id },
  set_mode: { mode: text(MAX_MODE_LENGTH, 1) },
  set_effort: { effort: oneOf(THINKING_EFFORTS) },
  retry_now: {},
  answer_approval: {
    callId: id,
    answer: oneOf(ANSWERS),
    revision: optional(count),
    feedback: optional(text(MAX_FEEDBACK_LENGTH)),
    command: optional(text(MAX_COMMAND_LENGTH, 1)),
    rules: optional(listOf(text(MAX_RULE_LENGTH, 1), MAX_RULES)),
    scope: optional(oneOf(RULE_SCOPES)),
  },
  answer_question: { callId: id, choices: listOf(text(MAX_CHOICE_LENGTH, 1), MAX_CHOICES), text: optional(text(MAX_FEEDBACK_LENGTH)) },
  dismiss_question: { callId: id },
  notice_action: { action: oneOf(ACTIONS) },
};
