import { count, headOf, showName } from '../../text/show.js';

/** Characters of a comparison. */
const MAX_DIFF = 60_000;
/** Maximum number of new files that are named. */
const MAX_NEW = 100;

/** What a model is notified of changes. */
export interface ReportedChanges {
  readonly diff: string;
  /** Names of files that git does not know yet. */
  readonly added: readonly string[];
  /** How many changed files are not compared, since they may not be shown. */
  readonly hidden: number;
}

/** Formats changes for a model; empty when there are none. */
export function diffReport({ diff, added, hidden }: ReportedChanges): string {
  const cut = diff.length > MAX_DIFF ? `${headOf(diff, MAX_DIFF)}\n[PARTIAL: the first ${MAX_DIFF} of ${diff.length} characters. See more with git diff.]` : diff;
  const fresh = added.slice(0, MAX_NEW).map((name) => `  ${showName(name)}`);
  const parts = [
    ...(cut === '' ? [] : [cut]),
    ...(hidden === 0 ? [] : [`[${count(hidden, 'changed file')} not shown here.]`]),
    ...(fresh.length === 0 ? [] : [`New files that git does not know yet${added.length > MAX_NEW ? ` (the first ${MAX_NEW} of ${added.length})` : ''}:\n${fresh.join('\n')}`]),
  ];
  return parts.join('\n');
}
