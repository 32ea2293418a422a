import type { Check, CheckOutcome, CheckRun } from '../domain/check.js';
import { errorMessage } from '../domain/errors.js';
import { present } from '../domain/present.js';
import { t } from '../domain/l10n.js';
import type { CommandOutcome, Processes } from '../domain/workspace/processes.js';
import { countTests } from './count-tests.js';
import { findFindings } from './find-findings.js';
import { outputLines, tailOf } from './output.js';

/** How a check is run. */
export interface RunChoices {
  /** Absolute path of the folder that was searched for checks. */
  readonly folder: string;
  readonly timeoutMs: number;
  /** Whether it runs in the sandbox, where it changes nothing but the workspace, temporary files, and caches, and reaches no network. */
  readonly confined: boolean;
  /** Gets the output while it runs. */
  readonly output?: (chunk: string) => void;
}

/** Runs lines, and reads what they have written where that is too much for an outcome. */
export interface RunPorts {
  readonly processes: Processes;
  /** The text of a log of {@link CommandOutcome}; `undefined` for one that is too large, or is gone. */
  readonly readLog: (path: string) => Promise<string | undefined>;
}

/** POSIX.1-2017, Shell Command Language, 2.8.2: what is to be run cannot be, or is not there. npm ends with the exit code of its script. */
const CANNOT_START: ReadonlySet<number> = new Set([126, 127]);
/** docs.pytest.org, “Exit codes”: an internal error, wrong usage, and no tests. */
const PYTEST_CANNOT_START: ReadonlySet<number> = new Set([3, 4, 5]);

/** Absolute path of the folder in which a check runs. @param folder absolute path of the one that was searched */
export function placeOf(check: Pick<Check, 'folder'>, folder: string): string {
  return check.folder === '' ? folder : `${folder}/${check.folder}`;
}

/** Runs a check once, to its end. What it was killed for, and what could not run, is no result. */
export async function runCheck(
  check: Check,
  { folder, timeoutMs, confined, output }: RunChoices,
  { processes, readLog }: RunPorts,
  signal: AbortSignal,
): Promise<CheckOutcome> {
  const cwd = placeOf(check, folder);
  const request = { command: check.line, cwd, timeoutMs, ...present({ confined: confined ? ({ readable: [], work: { hosts: [] } } as const) : undefined }) };
  let outcome: CommandOutcome;
  try {
    outcome = await processes.run(request, signal, output ?? (() => undefined));
  } catch (error) {
    return { state: 'not_checkable', why: 'cannot_start', detail: errorMessage(error) };
  }
  const tail = tailOf(outcome.output);
  if (outcome.cancelled) return { state: 'not_checkable', why: 'cancelled', tail };
  if (outcome.timedOut) return { state: 'not_checkable', why: 'timed_out', detail: t('It was ended after {0} seconds.', timeoutMs / 1000), tail };
  const { exitCode } = outcome;
  if (exitCode === undefined) return { state: 'not_checkable', why: 'cannot_start', detail: t('It was ended by the signal {0}.', outcome.signal ?? '?'), tail };
  // Beginning and end are enough where the whole is too much.
  const whole = (outcome.logFile === undefined ? undefined : await readLog(outcome.logFile)) ?? outcome.output;
  return endedCheck({ exitCode, output: whole, durationMs: outcome.durationMs, confined }, cwd);
}

/** A command that came to its end. */
export interface EndedCommand extends Pick<CheckRun, 'exitCode' | 'durationMs' | 'confined'> {
  readonly output: string;
}

/** What a command that is a check says by its exit code and its output. @param cwd absolute path of the folder in which it ran */
export function endedCheck({ exitCode, output, durationMs, confined }: EndedCommand, cwd: string): Extract<CheckOutcome, { readonly exitCode: number }> {
  const lines = outputLines(output);
  const run = { exitCode, ...present({ counts: countTests(lines) }), tail: tailOf(output), durationMs, confined };
  return exitCode === 0 ? { state: 'passed', ...run, findings: [] } : { state: 'failed', ...run, findings: findFindings(lines, cwd) };
}

/** Whether a check that failed could not even begin, going by how its program says so. */
export function couldNotStart({ line }: Check, { exitCode }: Pick<CheckRun, 'exitCode'>): boolean {
  return CANNOT_START.has(exitCode) || (/(?:^|\s)pytest$/.test(line) && PYTEST_CANNOT_START.has(exitCode));
}
