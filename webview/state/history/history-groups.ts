import type { HistoryEntry } from '../../../src/protocol/host/session-messages.js';
import { t } from '../../../src/protocol/l10n.js';

/** Sessions under a heading. */
export interface HistoryGroup {
  readonly name: 'Pinned' | 'Today' | 'Yesterday' | 'Earlier';
  readonly entries: readonly HistoryEntry[];
}

/**
 * Sessions under headings by when they last changed, those that are pinned first; no heading without one below it.
 * @param now in milliseconds since 1970; days are those of the user's clock.
 */
export function historyGroups(entries: readonly HistoryEntry[], now: number): readonly HistoryGroup[] {
  const today = startOfDay(now, 0);
  const yesterday = startOfDay(now, 1);
  const nameOf = ({ pinned, updatedAt }: HistoryEntry): HistoryGroup['name'] => {
    const time = Date.parse(updatedAt);
    if (pinned === true) return 'Pinned';
    return time >= today ? 'Today' : time >= yesterday ? 'Yesterday' : 'Earlier';
  };
  const groups = new Map<HistoryGroup['name'], HistoryEntry[]>([
    ['Pinned', []],
    ['Today', []],
    ['Yesterday', []],
    ['Earlier', []],
  ]);
  for (const entry of entries) groups.get(nameOf(entry))?.push(entry);
  return [...groups].filter(([, found]) => found.length > 0).map(([name, found]) => ({ name, entries: found }));
}

/** Heading of a group. */
export function groupLabel(name: HistoryGroup['name']): string {
  const labels: Readonly<Record<HistoryGroup['name'], string>> = { Pinned: t('Pinned'), Today: t('Today'), Yesterday: t('Yesterday'), Earlier: t('Earlier') };
  return labels[name];
}

/** The sessions whose titles contain a text, ignoring case. */
export function withTitle(entries: readonly HistoryEntry[], query: string): readonly HistoryEntry[] {
  const wanted = query.trim().toLowerCase();
  return wanted === '' ? entries : entries.filter(({ title }) => title.toLowerCase().includes(wanted));
}

/** The first `count` sessions of groups. */
export function firstOf(groups: readonly HistoryGroup[], count: number): readonly HistoryGroup[] {
  let left = count;
  return groups.flatMap(({ name, entries }) => {
    const taken = entries.slice(0, Math.max(0, left));
    left -= entries.length;
    return taken.length === 0 ? [] : [{ name, entries: taken }];
  });
}

/** Not every day has 24 hours, so days are not counted in milliseconds. */
function startOfDay(now: number, daysBefore: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - daysBefore).getTime();
}
