import { assertNever } from '../../domain/assert-never.js';
import type { SkipReason } from '../../domain/changes.js';
import type { RestoreReport, SkippedFile } from '../../change/restore.js';

/** How many files are named one by one; more than that fit no message. */
const MAX_NAMES = 10;

/** What a restore did, in one sentence or a few; `undefined` when it was called off. */
export function restoreSummary(report: RestoreReport, display: (path: string) => string): string | undefined {
  if (report.cancelled) return undefined;
  const { restored, deleted, kept, skipped } = report;
  const parts = [
    counted(restored.length, 'restored'),
    counted(deleted.length, 'deleted that had not existed'),
    kept.length === 0 ? '' : `kept with your later changes: ${listed(kept.map(display))}`,
    skipped.length === 0 ? '' : `left alone: ${listed(skipped.map((file) => `${display(file.path)} (${whyOf(file)})`))}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? 'No file needed to be restored.' : `Files: ${parts.join('; ')}.`;
}

/** Names of files for people, cut when there are many. */
export function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 0 ? `${names.slice(0, MAX_NAMES).join(', ')} and ${more} more` : names.join(', ');
}

function counted(count: number, what: string): string {
  return count === 0 ? '' : `${count} ${what}`;
}

function whyOf({ why }: SkippedFile): string {
  return typeof why === 'string' ? reasonText(why) : why.problem;
}

function reasonText(reason: SkipReason): string {
  switch (reason) {
    case 'link':
      return 'a link is or was on its path';
    case 'hard_link':
      return 'it has other names (hard links)';
    case 'not_a_file':
      return 'it is no ordinary file';
    case 'too_large':
      return 'it is too large to be kept';
    case 'git':
      return 'it belongs to git';
    case 'unreadable':
      return 'it cannot be read';
    case 'not_known':
      return 'a command changed it, and what it held before is not known';
    case 'not_kept':
      return 'its earlier content is not kept any more';
    default:
      return assertNever(reason);
  }
}
