import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { programBuild } from './program-build.js';

/** How a run of the program is started. */
export interface ProgramStart {
  /** Absolute path of the folder that it works in, and of that for what it keeps. */
  readonly folder: string;
  readonly home: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on its standard input, which ends then. Left out: it stays open. */
  readonly input?: string;
}

/** What became of a run. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** The program without a window, built as it is shipped. Called at the top of the file. */
export function headlessProgram(): {
  /** Absolute path of a file of it: the program itself is `gnomon.js`. */
  readonly path: (name: string) => string;
  readonly start: (args: readonly string[], start: ProgramStart) => RunningProgram;
  readonly run: (args: readonly string[], start: ProgramStart) => Promise<ProgramEnd>;
} {
  let folder = '';
  beforeAll(async () => {
    folder = await programBuild();
  });
  const path = (name: string): string => join(folder, 'headless', name);
  const start = (args: readonly string[], how: ProgramStart): RunningProgram => new RunningProgram(path('gnomon.js'), args, how);
  return { path, start, run: (args, how) => start(args, { input: '', ...how }).end };
}

/** A run of the program. */
export class RunningProgram {
  readonly process: ChildProcessWithoutNullStreams;
  /** What it has written so far. */
  output = '';
  errors = '';
  /** Resolves when it has ended. */
  readonly end: Promise<ProgramEnd>;

  constructor(program: string, args: readonly string[], { folder, home, env, input }: ProgramStart) {
    this.process = spawn(process.execPath, [program, ...args], { cwd: folder, env: environmentOf(home, env) });
    this.process.stdout.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.process.stderr.setEncoding('utf8').on('data', (text: string) => (this.errors += text));
    // One that ends before it has read its input breaks the pipe.
    this.process.stdin.on('error', () => undefined);
    if (input !== undefined) this.process.stdin.end(input);
    this.end = new Promise((resolve, reject) => {
      this.process.once('error', reject);
      this.process.once('close', (code) => resolve({ code, output: this.output, errors: this.errors }));
    });
  }

  /** Writes a line of JSON to its standard input. */
  send(...frames: readonly object[]): void {
    this.process.stdin.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
  }

  /** The lines of JSON that it has written. */
  get messages(): readonly Readonly<Record<string, unknown>>[] {
    return this.output
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  }
}

/** Nothing of the user who runs the tests, but what programs need to start. */
export function environmentOf(home: string, env: Readonly<Record<string, string>> = {}): Readonly<Record<string, string | undefined>> {
  const { PATH, SystemRoot, TMPDIR } = process.env;
  return {
    PATH,
    SystemRoot,
    TMPDIR,
    HOME: home,
    USERPROFILE: home,
    XDG_DATA_HOME: join(home, 'data'),
    XDG_CONFIG_HOME: join(home, 'config'),
    LANG: 'C.UTF-8',
    ...env,
  };
}
