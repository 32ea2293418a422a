import { THINKING_EFFORTS } from '../../domain/model/effort.js';
import { ELF_LIMITS } from '../../domain/session/elf.js';
import { RULE_SCOPES } from '../../domain/tool/denial.js';
import { MAX_COMMAND_LENGTH, MAX_FEEDBACK_LENGTH, MAX_RULE_LENGTH, MAX_RULES } from '../limits.js';
import { type Messages, amount, count, flag, id, listOf, oneOf, optional, text } from '../shape.js';
import { NOTICE_ACTIONS } from '../view-state.js';

const MAX_MODE_LENGTH = 64;
const MAX_AGENT_LENGTH = 200;
const MAX_CHOICES = 20;
const MAX_CHOICE_LENGTH = 2_000;

/** Requests about the running turn, and about the options of the next ones. */
export type TurnRequest = Messages<typeof TURN_REQUESTS>;

/** Its fields, by type. */
export const TURN_REQUESTS = {
  stop: {},
  /** Shows what an agent that works on a part of the task says and does, in an editor tab. */
  open_elf: { elf: id },
  /** Stops it, and those that it has started; all where none is named. */
  stop_elves: { elf: optional(id) },
  /** Has it go on where it was interrupted, stopped, or failed; all that were interrupted or have failed where none is named. */
  continue_elf: { elf: optional(id) },
  /** Raises a limit of the agents of the chat, for this chat alone, to the value that was offered, and has those go on that it has stopped. */
  raise_elf_limit: { limit: oneOf(ELF_LIMITS), to: amount },
  /** Stops all agents of the chat instead, and offers that no more until the limit stops or refuses another one. */
  stop_at_elf_limit: {},
  /** Leaves the limit and the agents as they are, and offers to raise it no more until it stops or refuses another one. */
  dismiss_elf_limit: {},
  /** Shows what it has changed in its worktree, and writes that into the files of the user if they want. */
  apply_elf: { elf: id },
  /** One of the models, or one of the choices in their place. */
  set_model: { model: id },
  set_mode: { mode: text(MAX_MODE_LENGTH, 1) },
  /** Has an agent work, by its name; empty: none. */
  set_agent: { agent: text(MAX_AGENT_LENGTH) },
  /** Whether the user prefers a model, so that it is listed first. */
  favorite_model: { model: id, on: flag },
  /** Opens the file with what was observed of models. */
  show_estimates: {},
  set_effort: { effort: oneOf<string>(THINKING_EFFORTS) },
  /** Summarizes the conversation to make room. */
  compact: {},
  /** Ends the wait before another attempt. */
  retry_now: {},
  answer_approval: {
    callId: id,
    answer: oneOf(['allow', 'always', 'deny']),
    /** Revision of the call's prompt that it answers; absent for the first. */
    revision: optional(count),
    /** With `deny`: what to do instead. */
    feedback: optional(text(MAX_FEEDBACK_LENGTH)),
    /** With `allow`: the command as the user changed it. */
    command: optional(text(MAX_COMMAND_LENGTH, 1)),
    /** With `always`: the rules to add, and where. */
    rules: optional(listOf(text(MAX_RULE_LENGTH, 1), MAX_RULES)),
    scope: optional(oneOf(RULE_SCOPES)),
  },
  answer_question: { callId: id, choices: listOf(text(MAX_CHOICE_LENGTH, 1), MAX_CHOICES), text: optional(text(MAX_FEEDBACK_LENGTH)) },
  dismiss_question: { callId: id },
  notice_action: { action: oneOf(NOTICE_ACTIONS) },
};
