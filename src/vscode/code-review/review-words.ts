import { assertNever } from '../../domain/assert-never.js';
import { t } from '../../domain/l10n.js';
import type { Turn } from '../../engine/events.js';
import type { Finding, Severity } from '../../code-review/finding.js';
import { countBySeverity } from '../../code-review/finding.js';
import { noticeOfTurn } from '../chat/projection/notices.js';

/** What a review has found, such as `3 findings: 1 error, 2 warnings`. */
export function foundWords(findings: readonly Finding[]): string {
  const counts = countBySeverity(findings).map(([severity, count]) => countWords(severity, count)).join(', ');
  if (findings.length === 0) return t('The review has found nothing.');
  return findings.length === 1 ? t('1 finding: {0}', counts) : t('{0} findings: {1}', findings.length, counts);
}

/** What came of a review: what was found and, where it did not come to its end, why not. */
export function outcomeWords(turn: Turn, findings: readonly Finding[]): string {
  const found = foundWords(findings);
  if (turn.end === 'end_turn') return found;
  if (turn.end === 'aborted') return findings.length === 0 ? t('The review was stopped.') : t('The review was stopped. So far: {0}', found);
  const why = noticeOfTurn(turn)?.text ?? '';
  return findings.length === 0 ? t('The review did not come to its end. {0}', why) : t('The review did not come to its end. {0} So far: {1}', why, found);
}

function countWords(severity: Severity, count: number): string {
  switch (severity) {
    case 'error':
      return count === 1 ? t('1 error') : t('{0} errors', count);
    case 'warning':
      return count === 1 ? t('1 warning') : t('{0} warnings', count);
    case 'info':
      return count === 1 ? t('1 info') : t('{0} infos', count);
    case 'hint':
      return count === 1 ? t('1 hint') : t('{0} hints', count);
    default:
      return assertNever(severity);
  }
}
