import type { ToolResultMessage } from '../../domain/model/message.js';
import type { CallOutcome, ModelNote } from '../../domain/tool/outcome.js';
import { oldDenial } from './old-denials.js';
import { oldFailure, oldNotRun } from './old-failures.js';
import { type ReadText, oldCommand, oldSuccess, partialMarks } from './old-results.js';

const CHANGED = 'The user changed this call before allowing it.';
const CANCELLED = 'Cancelled by the user.';
const UNSTARTED = 'Not executed: the user stopped the answer.';
const ARGUMENTS = '[Arguments: ';
const AGAIN: readonly string[] = [
  '[This has failed in the same way several times in a row. Do not send it again as it is: find out why it fails, try another way, or ask the user.]',
  '[This has brought the same result several times in a row. Do not repeat it: work with what you have, try another way, or ask the user.]',
];
const PAGE = /^[^\n]*\n<web_page>\n[^]*\n<\/web_page>(?:\n\[PARTIAL: [^\n]*)?$/;
/** Tools of which a failed result was nothing but a sentence for the model. */
const FAIL_IN_WORDS: ReadonlySet<string> = new Set([
  'read',
  'write',
  'edit',
  'apply_patch',
  'grep',
  'glob',
  'list',
  'symbols',
  'diagnostics',
  'todo',
  'ask',
  'jobs',
  'fetch',
  'web_search',
  'skill',
]);

/**
 * What became of a call of which only the words for the model, and of a denial the reason, are stored: the reader of sessions from before
 * outcomes were data. It is frozen: it knows the sentences of those versions and no later ones.
 * @param denied the stored reason of its denial; absent for a call that was not denied
 */
export function oldOutcome(message: ToolResultMessage, denied?: string): CallOutcome {
  const own = ownTexts(message);
  const told = own.map(({ text }) => text).join('\n');
  if (denied !== undefined) return { kind: 'denied', denial: oldDenial(denied, told) };
  const { marks, ...read } = endOf(message, told);
  const placed = placedNotes(own, marks.notes ?? []);
  const notes = [...framesOf(message, own), ...placed];
  const more = marks.more === true ? { more: true as const } : {};
  return { ...read.outcome, ...(notes.length === 0 ? {} : { notes }), ...more };
}

function endOf(message: ToolResultMessage, told: string): ReadText {
  const { toolName, isError } = message;
  if (startsAs(message, UNSTARTED)) return { outcome: { kind: 'cancelled', unstarted: true }, marks: {} };
  const notRun = isError ? oldNotRun(told) : undefined;
  if (notRun !== undefined) return { outcome: notRun, marks: {} };
  const status = isCancelled(message) ? 'cancelled' : isError ? 'failed' : 'done';
  if (toolName === 'bash') return oldCommand(told, status);
  if (status === 'failed' && FAIL_IN_WORDS.has(toolName) && !PAGE.test(told)) return { outcome: oldFailure(toolName, told), marks: {} };
  return status === 'done' ? oldSuccess(toolName, told) : { outcome: { kind: status }, marks: partialMarks(told) };
}

/** A text of a result that the tool gave back, with its place. */
interface OwnText {
  readonly block: number;
  readonly text: string;
}

function ownTexts(message: ToolResultMessage): readonly OwnText[] {
  const texts = message.content.flatMap((block, index) => (block.type === 'text' ? [{ block: index, text: block.text }] : []));
  const cancelled = isCancelled(message);
  return texts.filter(({ text }, at) => {
    const isNote = text.startsWith(CHANGED) || (at > 0 && text.startsWith(ARGUMENTS)) || AGAIN.includes(text);
    return !isNote && !(cancelled && saysCancelled(text));
  });
}

/** The other texts as notes. */
function framesOf({ content }: ToolResultMessage, own: readonly OwnText[]): readonly ModelNote[] {
  return content.flatMap((block, index) =>
    block.type === 'text' && own.every((each) => each.block !== index) ? [{ block: index, from: 0, to: block.text.length }] : [],
  );
}

/** Notes of the texts joined by line breaks, as notes of the single ones. */
function placedNotes(own: readonly OwnText[], notes: readonly ModelNote[]): readonly ModelNote[] {
  const placed: ModelNote[] = [];
  let start = 0;
  for (const { block, text } of own) {
    for (const note of notes) {
      const [from, to] = [Math.max(note.from - start, 0), Math.min(note.to - start, text.length)];
      if (from < to) placed.push({ block, from, to });
    }
    start += text.length + 1;
  }
  return placed;
}

function isCancelled(message: ToolResultMessage): boolean {
  return startsAs(message, CANCELLED) || startsAs(message, UNSTARTED);
}

function startsAs({ content: [first], isError }: ToolResultMessage, words: string): boolean {
  return isError && first?.type === 'text' && first.text.startsWith(words);
}

function saysCancelled(text: string): boolean {
  return text.startsWith(CANCELLED) || text.startsWith(UNSTARTED);
}
