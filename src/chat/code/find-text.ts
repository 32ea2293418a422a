import { yieldEvery } from '../../concurrency/steps.js';
import type { FoundPlace } from '../../protocol/host/transcript-messages.js';
import type { ViewBlock, ViewItem } from '../../protocol/view-state.js';

/** The most places that are named to a page; the others are only counted. */
const MAX_PLACES = 1_000;

/** Search results in a conversation. */
export interface FoundText {
  readonly places: readonly FoundPlace[];
  /** Total number of matches, including those beyond the listed ones. */
  readonly total: number;
  readonly more: boolean;
}

/**
 * Looks for a text in all that a conversation shows, folded or not; upper and lower case are the same. Others get their
 * turn in between.
 */
export async function findText(items: readonly ViewItem[], query: string): Promise<FoundText> {
  const wanted = query.toLowerCase();
  const pause = yieldEvery();
  const all: FoundPlace[] = [];
  // What comes meanwhile is found the next time.
  for (const item of [...items]) {
    all.push(...placesIn(item, wanted));
    await pause();
  }
  return { places: all.slice(0, MAX_PLACES), total: all.reduce((sum, { count }) => sum + count, 0), more: all.length > MAX_PLACES };
}

function placesIn(item: ViewItem, wanted: string): readonly FoundPlace[] {
  if (item.kind === 'answer') {
    return item.blocks.flatMap((block, index) => place({ item: item.id, block: index }, countIn(textsOf(block), wanted)));
  }
  const text = item.kind === 'compaction' ? item.summary : item.text;
  return place({ item: item.id }, countIn([text], wanted));
}

function place(where: Omit<FoundPlace, 'count'>, count: number): readonly FoundPlace[] {
  return count === 0 ? [] : [{ ...where, count }];
}

function textsOf(block: ViewBlock): readonly string[] {
  if (block.type !== 'tool') return [block.text];
  const { subject, preview, output, problem } = block.call;
  if (preview?.kind === 'diffs') return [subject, ...preview.files.flatMap(({ name, diff }) => [name, diff]), output, problem ?? ''];
  const shown = preview?.kind === 'diff' ? preview.diff : preview?.kind === 'command' && preview.command !== subject ? preview.command : '';
  return [subject, shown, output, problem ?? ''];
}

function countIn(texts: readonly string[], wanted: string): number {
  return texts.reduce((sum, text) => sum + occurrences(text.toLowerCase(), wanted), 0);
}

function occurrences(text: string, wanted: string): number {
  let count = 0;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) count += 1;
  return count;
}
