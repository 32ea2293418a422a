import type { HistoryEntry, TrashEntry } from '../../../src/protocol/host/session-messages.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

/** Noon of so many days before: in the middle of a day, so that no test depends on the hour. */
function noon(days: number): string {
  const date = new Date(Date.now() - days * DAY);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate(), 12).toISOString();
}

/** The sessions that the stand-in host has. */
export const history: readonly HistoryEntry[] = [
  { id: 'h1', title: 'Fix the failing test', updatedAt: ago(0), messageCount: 8, model: 'Claude Sonnet 4.5', cost: '$0.12' },
  { id: 'h2', title: 'Explain how the parser recovers from a missing bracket', updatedAt: noon(1), messageCount: 2, model: 'GPT-5', cost: '< $0.01' },
  { id: 'h3', title: 'Move the settings into their own folder', updatedAt: noon(3), messageCount: 41, parent: 'Fix the failing test' },
  { id: 'h4', title: 'Damaged', updatedAt: noon(10), messageCount: 0, problem: 'The file of this chat is damaged. It was kept as it is.' },
  { id: 'h5', title: 'Release notes for 2.0', updatedAt: noon(20), messageCount: 12, pinned: true },
  { id: 'h6', title: 'Elsewhere at work', updatedAt: noon(4), messageCount: 1, elsewhere: true },
];

/** What is in its trash. */
export const trash: readonly TrashEntry[] = [{ id: 't1', title: 'A first try', goneAt: Date.now() + 7 * MINUTE }];

/** So many sessions, half a day apart. */
export function manySessions(count: number): readonly HistoryEntry[] {
  return Array.from({ length: count }, (_, n) => ({
    id: `m${n}`,
    title: `Session number ${n}`,
    updatedAt: ago((n * DAY) / 2),
    messageCount: n % 50,
    model: 'Claude Sonnet 4.5',
    cost: '$0.10',
  }));
}
