import { assertNever } from '../domain/assert-never.js';
import type { SkipReason } from '../domain/workspace/changes.js';
import { t } from '../domain/l10n.js';
import type { RestoreReport, SkippedFile } from './restore.js';

/** Most files that a message names. */
const MAX_NAMES = 10;

/** Summary of a restore in a few sentences; `undefined` when it was canceled. */
export function restoreSummary(report: RestoreReport, display: (path: string) => string): string | undefined {
  if (report.cancelled) return undefined;
  const { restored, deleted, kept, skipped } = report;
  const parts = [
    restored.length === 0 ? '' : t('{0} restored', restored.length),
    deleted.length === 0 ? '' : t('{0} deleted (did not exist before)', deleted.length),
    kept.length === 0 ? '' : t('kept with your changes: {0}', listed(kept.map(display))),
    skipped.length === 0 ? '' : t('skipped: {0}', listed(skipped.map((file) => `${display(file.path)} (${whyOf(file)})`))),
  ].filter((part) => part !== '');
  return parts.length === 0 ? t('Files are already in this state.') : t('Files: {0}.', parts.join('; '));
}

/** Action after a restore. */
export type RestoreFollowUp = 'redo' | 'limits';

/**
 * Actions to offer after a restore, the primary one first.
 * @param redo whether it can be taken back
 */
export function restoreFollowUps({ kept, skipped }: RestoreReport, redo: boolean): readonly RestoreFollowUp[] {
  if (redo) return ['redo', 'limits'];
  // With nothing done and nothing left alone, there is nothing to explain.
  return kept.length + skipped.length === 0 ? [] : ['limits'];
}

/** Lists names of files for the user, cut when there are many. */
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
      return t('its path contains or contained a symbolic link');
    case 'hard_link':
      return t('it has other hard links');
    case 'not_a_file':
      return t('it is not a regular file');
    case 'too_large':
      return t('it is too large to back up');
    case 'git':
      return t('it is in a .git folder');
    case 'unreadable':
      return t('it cannot be read');
    case 'not_known':
      return t('a command changed it, and its previous content is unknown');
    case 'not_kept':
      return t('its earlier content is no longer available');
    default:
      return assertNever(reason);
  }
}
