import { CHECK_KINDS, type CheckKind, type CheckOutcome, type CheckResult, type NotCheckable } from '../domain/check.js';
import { escapeHidden } from '../domain/hidden-characters.js';
import { formatNumber, t } from '../domain/l10n.js';
import { placeOf } from './run-check.js';

/** What a kind of check is called. */
export function kindLabel(kind: CheckKind): string {
  switch (kind) {
    case 'types':
      return t('Types');
    case 'lint':
      return t('Lint');
    case 'build':
      return t('Build');
    case 'tests':
      return t('Tests');
  }
}

/** What came of a check, in a few words for the user. The numbers are what its output says. */
export function outcomeLabel(outcome: CheckOutcome): string {
  if (outcome.state === 'not_checkable') return reasonLabel(outcome.why);
  const { counts } = outcome;
  if (outcome.state === 'passed') return counts === undefined ? t('passed') : t('passed, tests: {0}', formatNumber(counts.passed));
  if (outcome.before === true) return t('failed, also before, with new problems: {0}', formatNumber(outcome.findings.length));
  return counts === undefined
    ? t('failed with exit code {0}', outcome.exitCode)
    : t('failed with exit code {0}, tests passed: {1}, failed: {2}', outcome.exitCode, formatNumber(counts.passed), formatNumber(counts.failed));
}

function reasonLabel(why: NotCheckable): string {
  switch (why) {
    case 'fails_before':
      return t('not checkable here: it also fails without the changes');
    case 'base_cannot_run':
      return t('not checkable here: it does not run without the changes either');
    case 'cannot_start':
      return t('not checkable here: it could not be started');
    case 'timed_out':
      return t('not checkable here: it took too long');
    case 'cancelled':
      return t('stopped');
    case 'not_approved':
      return t('not run: you have not approved it');
  }
}

/** What came of some checks, in one sentence for a notification. */
export function summaryOf(results: readonly CheckResult[]): string {
  const [only] = results;
  if (results.length === 1 && only !== undefined) return `\`${escapeHidden(only.check.line)}\`: ${outcomeLabel(only.outcome)}.`;
  const number = (state: CheckOutcome['state']): string => formatNumber(results.filter(({ outcome }) => outcome.state === state).length);
  return t('Checks that passed: {0}, failed: {1}, not checkable: {2}.', number('passed'), number('failed'), number('not_checkable'));
}

/** What came of some checks, as lines for people, with the places that they complain about. @param folder absolute path of the one that was searched */
export function reportOf(results: readonly CheckResult[], folder: string): string {
  const ordered = CHECK_KINDS.flatMap((kind) => results.filter(({ check }) => check.kind === kind));
  const lines = ordered.flatMap(({ check, outcome }) => {
    const place = placeOf(check, folder);
    const findings = outcome.state === 'failed' ? outcome.findings : [];
    const detail = outcome.state === 'not_checkable' && outcome.detail !== undefined ? [`  ${escapeHidden(outcome.detail)}`] : [];
    return [
      `${kindLabel(check.kind)} – ${escapeHidden(check.line)}: ${outcomeLabel(outcome)}`,
      ...detail,
      ...findings.map(
        ({ file, line, column, message }) =>
          `  ${escapeHidden(`${place}/${file}`)}:${line}${column === undefined ? '' : `:${column}`} ${escapeHidden(message)}`,
      ),
    ];
  });
  return lines.join('\n');
}
