/** A call in an answer written by hand. */
export type WrittenCall = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** One answer of a model, written by hand: what it says and the tools it calls. */
export interface WrittenAnswer {
  readonly say?: string;
  readonly calls?: readonly WrittenCall[];
}

/** A small coding task with a check of its own. */
export interface EvalTask {
  /** Also the name of its recording. */
  readonly name: string;
  readonly prompt: string;
  /** Relative path → content of the workspace that it starts from. */
  readonly files: Readonly<Record<string, string>>;
  /** Says what is wrong with the workspace or the last words after the task; `undefined` when it is solved. */
  readonly check: (workspace: CheckedWorkspace) => Promise<string | undefined>;
  /** A solution, for recordings that need no model. The last answer calls nothing. */
  readonly answers: readonly WrittenAnswer[];
}

/** What a check can look at. */
export interface CheckedWorkspace {
  /** What the agent said at the end. */
  readonly said: string;
  /** The text of a file; `undefined` when it is not there. */
  readonly read: (path: string) => Promise<string | undefined>;
  /** Runs a script with Node in the workspace. */
  readonly node: (...args: readonly string[]) => Promise<{ readonly ok: boolean; readonly output: string }>;
}

/** A check that a script ends well. */
export function passes(script: string): EvalTask['check'] {
  return async ({ node }) => {
    const { ok, output } = await node(script);
    return ok ? undefined : `${script} fails: ${output.trim().slice(0, 300)}`;
  };
}

/** Several checks, the first problem counts. */
export function all(...checks: readonly EvalTask['check'][]): EvalTask['check'] {
  return async (workspace) => {
    for (const check of checks) {
      const problem = await check(workspace);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** A check that files are as they were, such as tests that must not be changed. */
export function keeps(files: Readonly<Record<string, string>>): EvalTask['check'] {
  return async ({ read }) => {
    for (const [path, text] of Object.entries(files)) if ((await read(path)) !== text) return `${path} was changed.`;
    return undefined;
  };
}

/** A check of what was said. */
export function says(pattern: RegExp): EvalTask['check'] {
  return ({ said }) => Promise.resolve(pattern.test(said) ? undefined : `The answer does not say ${String(pattern)}.`);
}

/** A small test script: prints what is wrong and fails, or prints that all is well. */
export function testScript(imports: string, checks: readonly string[]): string {
  const lines = checks.map((check) => `if (!(${check})) { console.log(${JSON.stringify(`FAIL ${check}`)}); process.exitCode = 1; }`);
  return `${imports}\n${lines.join('\n')}\nif (process.exitCode !== 1) console.log('ok');\n`;
}
