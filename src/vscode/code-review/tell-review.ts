import * as vscode from 'vscode';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import { type Finding, type Severity, countBySeverity } from '../../code-review/finding.js';
import { noticeOfTurn } from '../../chat/projection/notices.js';
import type { ChangeReview, ReviewOutcome } from './change-review.js';
import { assertNever } from '../../domain/assert-never.js';
import type { Turn } from '../../engine/events.js';

/** Follow-up actions of a code review. */
export interface ReviewWays {
  /** Reviews the changes anew. */
  readonly again: () => unknown;
  /** Shows its conversation in the chat. */
  readonly open: () => unknown;
  readonly stop: () => unknown;
  readonly log: Log;
}

/** Something to press in a message, with what it does. */
type Way = readonly [title: string, act: () => unknown];

/** Runs a review while a notification says how far it is, which can stop it. */
export function showProgress(review: ChangeReview): Promise<ReviewOutcome> {
  const options = { location: vscode.ProgressLocation.Notification, title: t('Reviewing changes'), cancellable: true };
  return Promise.resolve(
    vscode.window.withProgress(options, (progress, token) => {
      token.onCancellationRequested(() => review.stop());
      return review.run((message) => progress.report({ message }));
    }),
  );
}

/** Notifies the user of the result of a review. */
export function tellOutcome(outcome: ReviewOutcome, findings: readonly Finding[], { again, open, log }: ReviewWays): void {
  if (outcome.type === 'nothing') {
    void vscode.window.showInformationMessage(outcome.why);
    return;
  }
  const { turn } = outcome;
  const isOver = turn.end === 'end_turn' || turn.end === 'aborted';
  const wantsKey = noticeOfTurn(turn)?.actions.includes('set_api_key') === true;
  const ways: readonly Way[] = [
    ...(findings.length === 0 ? [] : [[t('Show Problems'), () => vscode.commands.executeCommand('workbench.panel.markers.view.focus')] as const]),
    ...(wantsKey ? [setKey()] : []),
    ...(isOver ? [] : [[t('Review Again'), again] as const]),
    [t('Open in Chat'), open],
  ];
  offer(isOver ? 'info' : 'warning', outcomeWords(turn, findings), ways, log);
}

/** Says that the same changes are being reviewed already. */
export function tellRunning(findings: readonly Finding[], { open, stop, log }: ReviewWays): void {
  const words =
    findings.length === 0 ? t('These changes are already being reviewed.') : t('These changes are already being reviewed. {0}', foundWords(findings));
  offer(
    'info',
    words,
    [
      [t('Open in Chat'), open],
      [t('Stop'), stop],
    ],
    log,
  );
}

/** Says why a review could not be made. */
export function tellFailed(error: unknown, { again, log }: ReviewWays): void {
  const showLog: Way = [t('Show Log'), () => vscode.commands.executeCommand('gnomon.showLog')];
  offer('error', t('The changes could not be reviewed: {0}', errorMessage(error)), [[t('Review Again'), again], showLog], log);
}

/** Says that the demo reviews nothing. */
export function askForKey(log: Log): void {
  offer('info', t('The demo model does not support code reviews. Set an API key or choose another model.'), [setKey()], log);
}

function setKey(): Way {
  return [t('Set API Key'), () => vscode.commands.executeCommand('gnomon.setApiKey')];
}

/** Shows a message with ways to continue, fire-and-forget. */
function offer(level: 'info' | 'warning' | 'error', words: string, ways: readonly Way[], log: Log): void {
  const show = { info: vscode.window.showInformationMessage, warning: vscode.window.showWarningMessage, error: vscode.window.showErrorMessage }[level];
  const goOn = async (): Promise<void> => {
    const answer = await show(words, ...ways.map(([title]) => title));
    await ways.find(([title]) => title === answer)?.[1]();
  };
  goOn().catch((error: unknown) => log.error('What was chosen after a review failed', error));
}

/** Summary of the findings of a review, such as `3 findings: 1 error, 2 warnings`. */
function foundWords(findings: readonly Finding[]): string {
  const counts = countBySeverity(findings)
    .map(([severity, count]) => countWords(severity, count))
    .join(', ');
  if (findings.length === 0) return t('No problems found.');
  return findings.length === 1 ? t('1 finding ({0})', counts) : t('{0} findings ({1})', findings.length, counts);
}

/** Result of a review in words: its findings and, where it ended early, why. */
function outcomeWords(turn: Turn, findings: readonly Finding[]): string {
  const found = foundWords(findings);
  if (turn.end === 'end_turn') return found;
  if (turn.end === 'aborted') return findings.length === 0 ? t('The review was stopped.') : t('The review was stopped. Results so far: {0}', found);
  const why = noticeOfTurn(turn)?.text ?? '';
  return findings.length === 0 ? t('The review did not finish. {0}', why) : t('The review did not finish. {0} Results so far: {1}', why, found);
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
