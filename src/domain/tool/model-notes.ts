import { type TextBlock, type ToolResultContent, text } from '../model/content.js';
import type { ModelNote, ResultMarks } from './outcome.js';
import { plainOutcome } from './outcome.js';
import type { ToolResult } from './tool.js';

/** A line of a result that only the model is to read. */
export interface NoteLine {
  readonly note: string;
}

/** A line of a result, or several that belong together. */
export type ResultLine = string | NoteLine;

/** The lines as one text, and where in it are those that only the model is to read, each with one of the line breaks beside it. */
export function notedText(lines: readonly ResultLine[]): { readonly block: TextBlock; readonly marks: ResultMarks } {
  const lastShown = lines.findLastIndex((line) => typeof line === 'string');
  const notes: ModelNote[] = [];
  let end = 0;
  lines.forEach((line, index) => {
    const from = index === 0 ? 0 : end + 1;
    end = from + (typeof line === 'string' ? line : line.note).length;
    if (typeof line === 'string') return;
    notes.push(index < lastShown ? { block: 0, from, to: end + 1 } : { block: 0, from: index === 0 ? 0 : from - 1, to: end });
  });
  const whole = lines.map((line) => (typeof line === 'string' ? line : line.note)).join('\n');
  return { block: text(whole), marks: notes.length === 0 ? {} : { notes } };
}

/** The result with texts for the model before all else of it. */
export function withNotesBefore(result: ToolResult, notes: readonly ToolResultContent[]): ToolResult {
  const { content, outcome = plainOutcome(result.isError) } = result;
  const kept = (outcome.notes ?? []).map((note) => ({ ...note, block: note.block + notes.length }));
  return { ...result, content: [...notes, ...content], outcome: { ...outcome, notes: [...wholeBlocks(notes, 0), ...kept] } };
}

/** The result with a text for the model behind all else of it. */
export function withNoteBehind(result: ToolResult, note: string): ToolResult {
  const { content, outcome = plainOutcome(result.isError) } = result;
  const block = text(note);
  return { ...result, content: [...content, block], outcome: { ...outcome, notes: [...(outcome.notes ?? []), ...wholeBlocks([block], content.length)] } };
}

function wholeBlocks(blocks: readonly ToolResultContent[], first: number): readonly ModelNote[] {
  return blocks.flatMap((block, index) => (block.type === 'text' ? [{ block: first + index, from: 0, to: block.text.length }] : []));
}

/** The texts of a result without what only the model is to read: one for each block that has more. */
export function textsForUser(content: readonly ToolResultContent[], { notes = [] }: ResultMarks): readonly string[] {
  return content.flatMap((block, index) => {
    if (block.type !== 'text') return [];
    const here = notes.filter((note) => note.block === index).sort((a, b) => a.from - b.from);
    const shown = withoutParts(block.text, here);
    return shown === '' && here.length > 0 ? [] : [shown];
  });
}

function withoutParts(whole: string, parts: readonly ModelNote[]): string {
  let shown = '';
  let end = 0;
  for (const { from, to } of parts) {
    shown += whole.slice(end, Math.max(from, end));
    end = Math.max(end, to);
  }
  return shown + whole.slice(end);
}
