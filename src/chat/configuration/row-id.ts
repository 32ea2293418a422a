import { sha256 } from '../../node/files/sha256.js';
import type { ReportedItem, ReportSection } from './report.js';

/** Characters of a key that an id contains as they are; others are known by their hash. */
const MAX_KEY = 300;

/** An item, and what names its row in messages: that of the same thing is the same whenever it is shown. */
export interface Identified {
  readonly id: string;
  readonly item: ReportedItem;
}

/** The items of a section, each with an id of its own: what is there twice is counted. */
export function identified({ id: section, items }: ReportSection): readonly Identified[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const id = `${section}:${item.key.length <= MAX_KEY ? item.key : sha256(item.key)}`;
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return { id: count === 1 ? id : `${id} #${count}`, item };
  });
}
