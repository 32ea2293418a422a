import { errorMessage } from '../domain/errors.js';
import { textContent } from '../domain/model/message.js';
import type { Usage } from '../domain/model/usage.js';
import { present } from '../domain/present.js';
import type { Turn } from '../engine/events.js';

/** States that the work of an elf ends in. */
export type ElfEnd = 'completed' | 'failed' | 'cancelled';

/** What the work of an elf came to. */
export interface ElfResult {
  readonly id: string;
  readonly state: ElfEnd;
  /** Its last words; empty for none. */
  readonly output: string;
  /** Why it failed, or what its last words lack; a sentence. */
  readonly error?: string;
  readonly usage: Usage;
  /** US dollars; `undefined` where a price is not known. */
  readonly costUsd: number | undefined;
  /** Requests to the model. */
  readonly rounds: number;
  readonly durationMs: number;
}

/** What a turn of an elf came to. @param clean takes keys out of what servers say */
export function resultOf(id: string, turn: Turn, clean: (text: string) => string): ElfResult {
  const { usage, costUsd, rounds, durationMs } = turn;
  const last = turn.messages.findLast((message) => message.role === 'assistant');
  const output = last === undefined ? '' : textContent(last).trim();
  return { id, ...endOf(turn, clean), output, usage, costUsd, rounds, durationMs };
}

function endOf({ end, error }: Turn, clean: (text: string) => string): Pick<ElfResult, 'state' | 'error'> {
  switch (end) {
    case 'end_turn':
      return { state: 'completed' };
    case 'length':
    case 'cut':
      return { state: 'completed', error: 'Its answer reached the length limit of its model.' };
    case 'aborted':
      return { state: 'cancelled' };
    case 'round_limit':
      return { state: 'failed', error: 'It was stopped at the limit of requests for one message.' };
    default:
      return { state: 'failed', ...present({ error: clean(error === undefined ? 'Its model ended for a reason that is not known.' : errorMessage(error)) }) };
  }
}

/** The result in words, for the model that gave the work away. */
export function wordsFor({ state, output, error }: ElfResult): string {
  if (state === 'completed') return [output === '' ? 'The agent ended without a word.' : output, ...(error === undefined ? [] : [`[${error}]`])].join('\n\n');
  const what = state === 'cancelled' ? 'The agent was stopped.' : `The agent failed: ${error ?? 'no reason is known.'}`;
  return output === '' ? what : `${what}\n\nIts last words were:\n${output}`;
}
