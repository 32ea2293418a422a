import { bracketsOf } from './brackets.js';
import type { Place } from './place.js';
import { indentationOf, lineBefore } from './place.js';

/** Lines of a suggestion at most. */
const MAX_LINES = 25;
/** Columns of a tab. */
const TAB = 4;
const OPENER_AT_END = /[{([]\s*$/;
const INDENTS_AT_END = /(?::|=>|->|\b(?:do|then|else|begin|try|finally))\s*$/;

/** Where a block ends, by its brackets and its indentation. */
interface Bounds {
  /** Columns at which the line of the cursor begins. */
  readonly base: number;
  /** Whether the lines of the block must stand further in than that line. */
  readonly indented: boolean;
}

/** The lines of an answer that belong to the block at the cursor: what comes behind its end is left out. */
export function cutBlock(text: string, place: Place): string {
  const before = lineBefore(place);
  const opened = OPENER_AT_END.test(before);
  const bounds = { base: columns(indentationOf(before)), indented: !opened && INDENTS_AT_END.test(before) };
  const kept: string[] = [];
  let depth = opened ? openedOn(before, place.language) : 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (index >= MAX_LINES || endsBefore(line, { index, depth, kept }, bounds)) break;
    const walked = walk(line, depth, place.language);
    if (walked.cut !== undefined) {
      if (walked.kept !== '') kept.push(walked.kept);
      break;
    }
    kept.push(line);
    depth = walked.depth;
    if (opened && depth === 0) break;
  }
  return kept.join('\n').trimEnd();
}

/** Whether the block is over before a line. */
function endsBefore(line: string, { index, depth, kept }: { readonly index: number; readonly depth: number; readonly kept: readonly string[] }, bounds: Bounds): boolean {
  if (index === 0) return false;
  if (line.trim() === '') return depth <= 0 && !bounds.indented && kept.some((each) => each.trim() !== '');
  const column = columns(indentationOf(line));
  if (bounds.indented) return column <= bounds.base;
  return column < bounds.base;
}

/** Follows the brackets of a line. `cut` says where it closes one that the block did not open. */
function walk(line: string, depth: number, language: string): { readonly depth: number; readonly cut: number | undefined; readonly kept: string } {
  let now = depth;
  for (const { at, opens } of bracketsOf(line, language)) {
    now += opens ? 1 : -1;
    if (now < 0) return { depth: now, cut: at, kept: line.slice(0, at).trimEnd() };
  }
  return { depth: now, cut: undefined, kept: line };
}

/** How many brackets of a line are still open at its end; the last one is. */
function openedOn(line: string, language: string): number {
  return Math.max(1, bracketsOf(line, language).reduce((depth, { opens }) => Math.max(0, depth + (opens ? 1 : -1)), 0));
}

function columns(indentation: string): number {
  return indentation.replaceAll('\t', ' '.repeat(TAB)).length;
}
