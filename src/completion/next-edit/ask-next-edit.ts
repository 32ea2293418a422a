import { present } from '../../domain/present.js';
import { withoutUnseen } from '../../domain/hidden-characters.js';
import type { ChatModel } from '../ask-chat.js';
import { type LineReplacement, signatureOf, smallest } from './line-replacement.js';
import type { NextEditInput } from './next-edit-input.js';
import { END, nextEditRequest, shownLines } from './next-edit-request.js';

/** The largest change, in lines on either side and in characters. */
const MAX_LINES = 30;
const MAX_CHARACTERS = 3_000;
/** Characters of a line at most: a user must be able to see what comes in. */
const MAX_LINE = 500;
const HEAD = /^REPLACE ([1-9]\d{0,6})-([1-9]\d{0,6})$/;
/** A fence that models put around code although they were asked not to. */
const FENCE = /^```\w*$/;
/** A number that a model copied in front of a line. */
const NUMBER = /^\s*\d+\| ?/;

/**
 * The change that an answer says, without lines that stay as they are. What it says is treated as hostile.
 * @param answer of the model to the request for this input
 * @returns `undefined` when the answer has no edit, or none that can be shown: outside of what the model was shown, too large, with
 *   invisible characters, or reverting the user's own edit.
 */
export function readAnswer(answer: string, input: NextEditInput): LineReplacement | undefined {
  const said = bodyOf(answer.replace(/\r\n?/g, '\n'));
  if (said === undefined) return undefined;
  const { from, to, body } = said;
  const shown = new Set(shownLines(input));
  for (let line = from; line <= to; line += 1) if (!shown.has(line)) return undefined;
  const change = smallest({ first: from, before: input.lines.slice(from, to + 1), after: withoutNumbers(body) });
  return change !== undefined && isShowable(change) && !takesBack(change, input.latest) ? change : undefined;
}

/** Whether as much of an answer has come as is used. */
function isWhole(answer: string): boolean {
  return answer.includes(`\n${END}`) || answer.length > 2 * MAX_CHARACTERS;
}

interface Said {
  /** Numbers of lines from 0. */
  readonly from: number;
  readonly to: number;
  readonly body: readonly string[];
}

/** An answer that was cut off says nothing. */
function bodyOf(answer: string): Said | undefined {
  const lines = answer.trimStart().split('\n', 2 * MAX_CHARACTERS);
  if (FENCE.test(lines[0] ?? '')) lines.shift();
  const [, first, last] = HEAD.exec(lines[0]?.trimEnd() ?? '') ?? [];
  const end = lines.findIndex((line) => line.trimEnd() === END);
  const [from, to] = [Number(first) - 1, Number(last) - 1];
  if (first === undefined || end < 0 || to < from || to - from >= 2 * MAX_LINES) return undefined;
  return { from, to, body: lines.slice(1, end) };
}

function withoutNumbers(lines: readonly string[]): readonly string[] {
  return lines.length > 0 && lines.every((line) => NUMBER.test(line)) ? lines.map((line) => line.replace(NUMBER, '')) : lines;
}

function isShowable({ before, after }: LineReplacement): boolean {
  const both = [...before, ...after];
  if (before.length > MAX_LINES || after.length > MAX_LINES || both.some((line) => line.length > MAX_LINE)) return false;
  const text = both.join('\n');
  const isSeen = withoutUnseen(text).hidden === undefined && text.isWellFormed();
  const bare = (lines: readonly string[]): string => lines.map((line) => line.trimEnd()).join('\n');
  return text.length <= MAX_CHARACTERS && isSeen && bare(before) !== bare(after);
}

function takesBack(change: LineReplacement, { before, after }: LineReplacement): boolean {
  return signatureOf(change) === signatureOf({ before: after, after: before });
}

/**
 * Asks a model that talks for the next edit; its answer is read only as far as it is used.
 * @throws ProviderError, or AbortError when the signal fired.
 */
export async function askNextEdit(input: NextEditInput, { provider, model, clock, reason }: ChatModel, signal: AbortSignal): Promise<string> {
  let written = '';
  // Leaving the loop closes the connection.
  for await (const event of provider.stream({ ...nextEditRequest(input, model, clock.timestamp()), ...present({ reason }) }, signal)) {
    if (event.type !== 'text_delta') continue;
    written += event.delta;
    if (isWhole(written)) break;
  }
  return written;
}
