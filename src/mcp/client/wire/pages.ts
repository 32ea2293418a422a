import type { McpListed } from '../../../domain/mcp/feature.js';
import { t } from '../../../domain/l10n.js';
import type { ReadItem } from './from-wire.js';
import { type JsonRecord, list, record, text } from './json.js';
import type { McpLimits } from '../limits.js';

/** Warnings of one list that are kept. */
const MAX_WARNINGS = 20;

/** A list, and how to get it. */
export interface PagedList<Item> {
  /** Where the items are in a page. */
  readonly key: string;
  readonly read: ReadItem<Item>;
  /** Gets the page at a cursor, or the first. */
  readonly page: (cursor: string | undefined) => Promise<JsonRecord>;
}

/**
 * Reads a list page by page, and keeps what was read when something is wrong with the rest: a cursor that comes again, too many pages,
 * a page that fails. Rejects only if the first page does, or when the caller stopped it.
 */
export async function readPages<Item>({ key, read, page }: PagedList<Item>, limits: McpLimits, signal: AbortSignal): Promise<McpListed<Item>> {
  const items: Item[] = [];
  const warnings: string[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    let result: JsonRecord;
    try {
      result = await page(cursor);
    } catch (error) {
      if (cursor === undefined || signal.aborted) throw error;
      warnings.push(t('The list is not complete: page {0} could not be read.', seen.size + 1));
      break;
    }
    for (const each of list(result[key])) {
      const item = read(record(each) ?? {});
      if (typeof item === 'object' && item !== null && 'warning' in item) warnings.push(item.warning);
      else items.push(item);
    }
    cursor = text(result['nextCursor']);
    const end = endOf(cursor, seen, { items: items.length, limits });
    if (end !== undefined) {
      warnings.push(end);
      break;
    }
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
  return { items: items.slice(0, limits.items), warnings: warnings.slice(0, MAX_WARNINGS) };
}

/** Why the list ends here although the server has more; `undefined` if it does not. */
function endOf(
  cursor: string | undefined,
  seen: ReadonlySet<string>,
  { items, limits }: { readonly items: number; readonly limits: McpLimits },
): string | undefined {
  if (items > limits.items) return t('The list is not complete: Gnomon reads no more than {0} items.', limits.items);
  if (cursor === undefined) return undefined;
  if (seen.has(cursor)) return t('The list may not be complete: the server sends the same page again and again.');
  return seen.size + 1 >= limits.pages ? t('The list is not complete: Gnomon reads no more than {0} pages.', limits.pages) : undefined;
}
