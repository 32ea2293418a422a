/** What a check finds out, from the quickest to the slowest. */
export const CHECK_KINDS = ['types', 'lint', 'build', 'tests'] as const;
/** One of {@link CHECK_KINDS}. */
export type CheckKind = (typeof CHECK_KINDS)[number];

/** A command of a project that says by its exit code whether the project is in order. */
export interface Check {
  /** The same wherever the project lies, for as long as its file names it: `package.json#test`. */
  readonly id: string;
  readonly kind: CheckKind;
  /** In which it runs: relative to the folder that was searched, with slashes; empty for that folder itself. */
  readonly folder: string;
  /** The line that a shell runs. */
  readonly line: string;
  /** The file that names it, relative to the folder that was searched, with slashes. */
  readonly file: string;
}

/** Numbers of tests by how they went, as a runner reports them. Output can be made up, so that nothing is decided by it. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** A place in a file that a check complains about, as its output says. */
export interface CheckFinding {
  /** Relative to the folder in which the check ran, with slashes. */
  readonly file: string;
  /** From 1 on, as is the column. */
  readonly line: number;
  readonly column?: number;
  readonly message: string;
}

/** Why nothing can be said of a check. */
export type NotCheckable =
  /** It fails in the untouched project as well, with nothing that is new. */
  | 'fails_before'
  /** It cannot run in the untouched project. */
  | 'base_cannot_run'
  /** What it starts is not there, or does not run on this machine. */
  | 'cannot_start'
  | 'timed_out'
  | 'cancelled'
  | 'not_approved';

/** What a run that came to its end has left. */
export interface CheckRun {
  readonly exitCode: number;
  /** Absent where the runner does not report any. */
  readonly counts?: TestCounts;
  /** Empty for output without places in files. */
  readonly findings: readonly CheckFinding[];
  /** The end of the output, within a limit. */
  readonly tail: string;
  readonly durationMs: number;
  /** Whether it ran in the sandbox. */
  readonly confined: boolean;
}

/** What came of a check. The exit code decides alone whether it has passed. */
export type CheckOutcome =
  | ({ readonly state: 'passed' } & CheckRun)
  /** With `before`, it failed in the untouched project, too: the findings are those that are new. */
  | ({ readonly state: 'failed'; readonly before?: true } & CheckRun)
  /** `detail` says more to the user, where there is more; `tail` is what it has written. */
  | { readonly state: 'not_checkable'; readonly why: NotCheckable; readonly detail?: string; readonly tail?: string };

/** A check with what came of it, and when. */
export interface CheckResult {
  readonly check: Check;
  readonly outcome: CheckOutcome;
  /** The edit after which it ran, as the caller counts them; absent where it does not. */
  readonly afterEdit?: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Something in the files of a project because of which a check was not found. */
export interface CheckProblem {
  /** Relative to the folder that was searched, with slashes. */
  readonly file: string;
  /** A sentence for the user. */
  readonly message: string;
}

/** The checks of a folder. */
export interface FoundChecks {
  readonly checks: readonly Check[];
  readonly problems: readonly CheckProblem[];
}
