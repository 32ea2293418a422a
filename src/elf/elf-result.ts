import { errorMessage } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import { type Message, textContent } from '../domain/model/message.js';
import type { LimitReached } from '../domain/model/purse.js';
import { NO_USAGE, type Usage } from '../domain/model/usage.js';
import { present } from '../domain/present.js';
import type { ElfEnd } from '../domain/session/elf.js';
import { count, headOf } from '../text/show.js';
import { namedFiles } from './brought.js';
import type { Turn } from '../engine/events.js';

/** What the work of an elf came to. */
export interface ElfResult {
  readonly id: string;
  readonly state: ElfEnd;
  /** Its last words; empty for none. */
  readonly output: string;
  /** Why it failed, or what its last words lack; a sentence. */
  readonly error?: string;
  /** The limit for which it failed. */
  readonly limit?: LimitReached;
  readonly usage: Usage;
  /** US dollars; `undefined` where a price is not known. */
  readonly costUsd: number | undefined;
  /** Requests to the model. */
  readonly rounds: number;
  readonly durationMs: number;
  /** Paths of the files that its worktree differs in from what it began with; absent where it has none. */
  readonly changed?: readonly string[];
}

/** The result of an elf that was stopped before it did anything. @param id of its session; empty where it has none */
export function nothingDone(id: string): ElfResult {
  return { id, state: 'cancelled', output: '', usage: NO_USAGE, costUsd: 0, rounds: 0, durationMs: 0 };
}

/** What a turn of an elf came to. @param clean takes keys out of what servers say */
export function resultOf(id: string, turn: Turn, clean: (text: string) => string): ElfResult {
  const { usage, costUsd, rounds, durationMs } = turn;
  return { id, ...endOf(turn, clean), output: lastWordsIn(turn.messages), usage, costUsd, rounds, durationMs };
}

/** What a model said last; empty for nothing. */
export function lastWordsIn(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === 'assistant');
  return last === undefined ? '' : textContent(last).trim();
}

function endOf({ end, error, reached }: Turn, clean: (text: string) => string): Pick<ElfResult, 'state' | 'error' | 'limit'> {
  switch (end) {
    case 'end_turn':
      return { state: 'completed' };
    case 'length':
    case 'cut':
      return { state: 'completed', error: t('Its answer reached the length limit of its model.') };
    case 'aborted':
      return { state: 'cancelled' };
    case 'round_limit':
      return { state: 'failed', error: t('It was stopped at the limit of requests for one message.') };
    default: {
      const words = error === undefined ? t('Its model ended for a reason that is not known.') : errorMessage(error);
      return { state: 'failed', error: clean(words), ...present({ limit: reached }) };
    }
  }
}

/** Characters of last words that go to who gave the work away; the whole is in the session of the elf. */
const MAX_OUTPUT = 30_000;

/** The result in words, for the model that gave the work away. @param name by which it can ask for the rest */
export function wordsFor(result: ElfResult, name: string): string {
  const { changed } = result;
  return changed === undefined ? lastWords(result, name) : `${lastWords(result, name)}\n\n[${worktreeWords(changed, name)}]`;
}

function worktreeWords(changed: readonly string[], name: string): string {
  if (changed.length === 0) return `${name} has changed nothing in its worktree.`;
  const what = `${name} has changed ${count(changed.length, 'file')} in its worktree, and none here: ${namedFiles(changed)}.`;
  return `${what} To take them over, call the tool agents with action apply, id ${name}.`;
}

function lastWords({ state, output, error }: ElfResult, name: string): string {
  const left = output.length - MAX_OUTPUT;
  const rest = `[${left} more characters: get them with the tool agents, action result, id ${name}, from ${MAX_OUTPUT}]`;
  const words = left <= 0 ? output : `${headOf(output, MAX_OUTPUT)}\n\n${rest}`;
  if (state === 'completed') return [words === '' ? 'The agent ended without a word.' : words, ...(error === undefined ? [] : [`[${error}]`])].join('\n\n');
  const what = state === 'cancelled' ? 'The agent was stopped.' : `The agent failed: ${error ?? 'no reason is known.'}`;
  return output === '' ? what : `${what}\n\nIts last words were:\n${words}`;
}

/** Last words from a character on, for one who has those before. */
export function restOf({ output }: ElfResult, from: number, name: string): string {
  const rest = output.slice(from);
  if (rest === '') return `That is all: its last words have ${output.length} characters.`;
  return rest.length <= MAX_OUTPUT ? rest : `${headOf(rest, MAX_OUTPUT)}\n\n[${rest.length - MAX_OUTPUT} more: id ${name}, from ${from + MAX_OUTPUT}]`;
}
