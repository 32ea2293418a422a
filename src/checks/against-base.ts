import type { Check, CheckFinding, CheckOutcome, TestCounts } from '../domain/check.js';
import { present } from '../domain/present.js';
import { couldNotStart } from './run-check.js';

/** Why a check that did not come to an end in the untouched project, or could not begin there, says nothing of a change; `undefined` where it may. */
export function baseProblem(check: Check, base: CheckOutcome): CheckOutcome | undefined {
  const outcome = base.state === 'failed' && couldNotStart(check, base) ? notStarted(base) : base;
  if (outcome.state !== 'not_checkable') return undefined;
  const { why, detail, tail } = outcome;
  return why === 'cancelled' || why === 'not_approved' ? outcome : { state: 'not_checkable', why: 'base_cannot_run', ...present({ detail, tail }) };
}

/**
 * What a check says of a change, by how it went in the untouched project: what was red before is no finding. That a check has passed is decided by its
 * exit code alone, so that output can make up failures, but hide none.
 * @param base without a {@link baseProblem}; absent where the untouched project does not have the check, or nobody asked there
 */
export function againstBase(check: Check, now: CheckOutcome, base?: CheckOutcome): CheckOutcome {
  if (now.state !== 'failed' || base?.state === 'passed') return now;
  if (base?.state !== 'failed') return couldNotStart(check, now) ? notStarted(now) : now;
  const findings = newFindings(now.findings, base.findings);
  if (findings.length === 0 && !failsMore(now.counts, base.counts)) return { state: 'not_checkable', why: 'fails_before', tail: now.tail };
  return { ...now, findings, before: true };
}

function notStarted({ tail }: Extract<CheckOutcome, { readonly state: 'failed' }>): Extract<CheckOutcome, { readonly state: 'not_checkable' }> {
  return { state: 'not_checkable', why: 'cannot_start', tail };
}

/** Findings move with the lines above them, so that only their file and their message count: each as often as it was there before. */
function newFindings(now: readonly CheckFinding[], before: readonly CheckFinding[]): readonly CheckFinding[] {
  const keyOf = ({ file, message }: CheckFinding): string => JSON.stringify([file, message]);
  const left = new Map<string, number>();
  for (const finding of before) left.set(keyOf(finding), (left.get(keyOf(finding)) ?? 0) + 1);
  return now.filter((finding) => {
    const known = left.get(keyOf(finding)) ?? 0;
    left.set(keyOf(finding), known - 1);
    return known <= 0;
  });
}

function failsMore(now: TestCounts | undefined, before: TestCounts | undefined): boolean {
  return now !== undefined && before !== undefined && now.failed > before.failed;
}
