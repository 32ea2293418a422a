import { assertNever } from '../../domain/assert-never.js';
import type { SkipReason } from '../../domain/workspace/changes.js';
import { t } from '../../domain/l10n.js';
import type { RestoreReport, SkippedFile } from '../../edits/restore.js';

/** How many files are named one by one; more than that fit no message. */
const MAX_NAMES = 10;

/** What a restore did, in one sentence or a few; `undefined` when it was called off. */
export function restoreSummary(report: RestoreReport, display: (path: string) => string): string | undefined {
  if (report.cancelled) return undefined;
  const { restored, deleted, kept, skipped } = report;
  const parts = [
    restored.length === 0 ? '' : t('{0} restored', restored.length),
    deleted.length === 0 ? '' : t('{0} deleted that had not existed', deleted.length),
    kept.length === 0 ? '' : t('kept with your later changes: {0}', listed(kept.map(display))),
    skipped.length === 0 ? '' : t('left alone: {0}', listed(skipped.map((file) => `${display(file.path)} (${whyOf(file)})`))),
  ].filter((part) => part !== '');
  return parts.length === 0 ? t('No file needed to be restored.') : t('Files: {0}.', parts.join('; '));
}

/** Names of files for people, cut when there are many. */
export function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return more > 0 ? t('{0} and {1} more', names.slice(0, MAX_NAMES).join(', '), more) : names.join(', ');
}

function whyOf({ why }: SkippedFile): string {
  return typeof why === 'string' ? skipReasonText(why) : why.problem;
}

/** Why a file cannot be looked at, kept or put back. */
export function skipReasonText(reason: SkipReason): string {
  switch (reason) {
    case 'link':
      return t('a link is or was on its path');
    case 'hard_link':
      return t('it has other names (hard links)');
    case 'not_a_file':
      return t('it is no ordinary file');
    case 'too_large':
      return t('it is too large to be kept');
    case 'git':
      return t('it belongs to git');
    case 'unreadable':
      return t('it cannot be read');
    case 'not_known':
      return t('a command changed it, and what it held before is not known');
    case 'not_kept':
      return t('its earlier content is not kept any more');
    default:
      return assertNever(reason);
  }
}
