import { type Changes, type Files, testScript } from './files.js';

/** Says what is wrong with a workspace or the last words after a task; `undefined` when it is solved. */
export type Check = (workspace: CheckedWorkspace) => Promise<string | undefined>;

/** How a command of a check ended. */
export interface CommandResult {
  readonly ok: boolean;
  readonly output: string;
}

/** What a check can look at. All paths are relative to the workspace, with `/`. */
export interface CheckedWorkspace {
  /** What the agent said at the end. */
  readonly said: string;
  /** The files as the agent found them. */
  readonly start: Files;
  /** The text of a file; `undefined` when it is not there. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** The paths of all files, without those of Git. */
  readonly paths: () => Promise<readonly string[]>;
  /** Runs a command line in the workspace. */
  readonly run: (command: string) => Promise<CommandResult>;
  /** Runs a script in the workspace that the agent never saw. */
  readonly script: (code: string) => Promise<CommandResult>;
  /** A copy of the workspace with some changes. */
  readonly copyWith: (changes: Changes) => Promise<CheckedWorkspace>;
}

/** Characters of a command's output that a problem repeats. */
const MAX_OUTPUT = 300;

/** Several checks, the first problem counts. */
export function all(...checks: readonly Check[]): Check {
  return async (workspace) => {
    for (const check of checks) {
      const problem = await check(workspace);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** A check that a script of the workspace ends well. */
export function passes(script: string): Check {
  return async ({ run }) => failureOf(script, await run(`node ${script}`));
}

/** A check that expressions are true, in a script that the agent never saw. */
export function holds(imports: string, expressions: readonly string[]): Check {
  return async ({ script }) => failureOf('A check', await script(testScript(imports, expressions)));
}

function failureOf(name: string, { ok, output }: CommandResult): string | undefined {
  if (ok) return undefined;
  // Of a crash, what it was: where it happened differs from run to run.
  const crash = /^\w*Error\b.*$/m.exec(output)?.[0];
  return `${name} fails: ${(crash ?? output.trim()).slice(0, MAX_OUTPUT)}`;
}

/** A check that files are as they were, such as tests that must not be changed. */
export function keeps(...paths: readonly string[]): Check {
  return async ({ read, start }) => {
    for (const path of paths) if ((await read(path)) !== start[path]) return `${path} was changed.`;
    return undefined;
  };
}

/** A check that no file was changed, added or removed but these. Without any, nothing was. */
export function changesOnly(...allowed: readonly string[]): Check {
  return async ({ read, start, paths }) => {
    for (const path of new Set([...Object.keys(start), ...(await paths())])) {
      if (!allowed.includes(path) && (await read(path)) !== start[path]) return `${path} was changed, added or removed.`;
    }
    return undefined;
  };
}

/** A check that a file has exactly this text. */
export function exactly(path: string, text: string): Check {
  return async ({ read }) => ((await read(path)) === text ? undefined : `${path} is not as it should be.`);
}

/** A check that a file contains something, or is free of it. */
export function contains(path: string, pattern: RegExp): Check {
  return async ({ read }) => (pattern.test((await read(path)) ?? '') ? undefined : `${path} does not contain ${String(pattern)}.`);
}

/** A check that no file contains something. Files named as exceptions are not looked at. */
export function nowhere(pattern: RegExp, ...exceptions: readonly string[]): Check {
  return async ({ read, paths }) => {
    for (const path of await paths()) {
      if (!exceptions.includes(path) && pattern.test((await read(path)) ?? '')) return `${path} contains ${String(pattern)}.`;
    }
    return undefined;
  };
}

/** A check of what was said. */
export function says(pattern: RegExp): Check {
  return ({ said }) => Promise.resolve(pattern.test(said) ? undefined : `The answer does not say ${String(pattern)}.`);
}

/** A check of what was not said. */
export function withholds(pattern: RegExp): Check {
  return ({ said }) => Promise.resolve(pattern.test(said) ? `The answer says ${String(pattern)}.` : undefined);
}
