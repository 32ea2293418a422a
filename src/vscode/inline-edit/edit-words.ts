import { t } from '../../domain/l10n.js';
import { textContent } from '../../domain/model/message-helpers.js';
import type { Turn } from '../../engine/events.js';
import { noticeOfTurn } from '../chat/projection/notices.js';

/** Characters of an answer without an edit that are shown. */
const MAX_ANSWER = 300;

/** How many hunks have come. */
export function counted(hunks: number): string {
  return hunks === 1 ? t('Writing: 1 change so far') : t('Writing: {0} changes so far', hunks);
}

/** Why a turn brought no edit. */
export function outcomeOf(turn: Turn): string {
  if (turn.end === 'aborted') return t('Stopped. Nothing was changed.');
  const notice = noticeOfTurn(turn);
  if (notice !== undefined) return t('Nothing was changed. {0}', notice.text);
  const last = turn.messages.findLast(({ role }) => role === 'assistant');
  const answer = last === undefined ? '' : textContent(last).trim();
  return answer === '' ? t('The model answered without an edit. Say more exactly what should change.') : t('Nothing was changed. The model says: {0}', answer.slice(0, MAX_ANSWER));
}

/** What pends, and what can be done about it. */
export function summaryOf(hunks: number): string {
  return hunks === 1 ? t('1 change. Keep it, undo it, or say what should be different.') : t('{0} changes. Keep them, undo them, or say what should be different.', hunks);
}
