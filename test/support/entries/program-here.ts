import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { useTexts } from '../../../src/domain/l10n.js';
import { main, type ProgramParts } from '../../../src/headless/index.js';
import { type CliStart, InProcessTransport, type Transport } from '../../../src/headless/library/index.js';
import { TERMINAL_TEXTS } from '../../../src/headless/terminal-texts.js';
import { environmentOf, forEachTest, type ProgramEnd, ProgramWithModel, Run, type Starter } from '../headless-program.js';

const { resolve } = createRequire(import.meta.url);

/** What the program has with it, from where npm has put it. */
export const PROGRAM: ProgramParts = {
  grammars: dirname(resolve('@vscode/tree-sitter-wasm')),
  ripgrep: () => Promise.resolve(resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/${process.platform === 'win32' ? 'rg.exe' : 'rg'}`)),
  manifest,
};

/** Gives this process the environment that the program has in tests, until `vi.unstubAllEnvs`. @param home absolute path of the home folder */
export function stubEnvironment(home: string, modelServer: string): Readonly<Record<string, string | undefined>> {
  const environment = environmentOf(home, { ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: modelServer });
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) vi.stubEnv(name, value);
  return environment;
}

/** The same, until the test is over. */
export function inEnvironment(home: string, modelServer: string): Readonly<Record<string, string | undefined>> {
  onTestFinished(() => void vi.unstubAllEnvs());
  return stubEnvironment(home, modelServer);
}

/** How a run of the program in this process is started. */
export interface HereStart {
  readonly args: readonly string[];
  /** Absolute path of the folder that it works in. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes what a user would see on the terminal that it runs on. Left out: it runs on none. */
  readonly screen?: (text: string) => void;
}

/** A run of the program in this process, which takes no time to start. */
export class ProgramHere extends Run {
  /** As a process has them. */
  readonly process: { readonly stdin: PassThrough; readonly stdout: PassThrough };
  readonly end: Promise<ProgramEnd>;
  private readonly interrupts = new Set<() => void>();

  constructor({ args, folder, environment, screen }: HereStart) {
    super();
    const isTTY = screen !== undefined;
    const stdin = Object.assign(new PassThrough(), isTTY ? { isTTY, setRawMode: () => undefined } : {});
    const stdout = Object.assign(new PassThrough(), isTTY ? { isTTY } : {});
    this.process = { stdin, stdout };
    stdout.setEncoding('utf8').on('data', (text: string) => {
      this.output += text;
      screen?.(text);
    });
    const write = (bytes: Buffer, _encoding: BufferEncoding, done: () => void): void => {
      this.errors += bytes.toString('utf8');
      screen?.(bytes.toString('utf8'));
      done();
    };
    const onInterrupt = (listener: () => void): (() => void) => {
      this.interrupts.add(listener);
      return () => this.interrupts.delete(listener);
    };
    const ended = main({
      args,
      streams: { input: stdin, output: stdout, errors: Object.assign(new Writable({ write }), isTTY ? { isTTY } : {}), environment },
      stops: { onInterrupt, onTerminate: () => () => undefined },
      folder,
      version: manifest.version,
      program: PROGRAM,
    });
    this.end = ended.then(async (code) => {
      // What it wrote is read as the end of a process is waited for: up to the end of its output.
      await new Promise((read) => stdout.once('end', read).end());
      return { code, output: this.output, errors: this.errors };
    });
  }

  /** What Ctrl+C does. */
  interrupt(): void {
    for (const listener of this.interrupts) listener();
  }
}

/** Runs that are not over, and their environment: that of a process is one for all. */
const inUse = { runs: 0, environment: '' };

/** Gives this process an environment and nothing else, but for what the tests themselves read of it. @returns what ends that */
function useEnvironment(environment: HereStart['environment']): () => void {
  const wanted = JSON.stringify(environment);
  if (inUse.runs > 0 && inUse.environment !== wanted) throw new Error('A run in this process with another environment is not over.');
  if (inUse.runs === 0) {
    for (const name of Object.keys(process.env)) if (!/^(?:VITEST|GNOMON_UNIT)/.test(name)) vi.stubEnv(name, undefined);
    for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
    useTexts(TERMINAL_TEXTS);
  }
  inUse.runs += 1;
  inUse.environment = wanted;
  let isUsed = true;
  return () => {
    if (!isUsed) return;
    isUsed = false;
    inUse.runs -= 1;
    if (inUse.runs > 0) return;
    vi.unstubAllEnvs();
    useTexts({});
  };
}

/**
 * The program in this process: for what it decides, says, and does. What becomes of a process needs one, see `headlessProgram`: signals, pipes, ends, and
 * what commands have without bubblewrap. Runs at the same time have the same home folder and variables.
 */
export const programHere: Starter<ProgramHere> = {
  start(args, { folder, home, env, input, sandbox = true }) {
    if (!sandbox) throw new Error('Only a process can be without what holds commands.');
    const environment = environmentOf(home, env);
    const stop = useEnvironment(environment);
    onTestFinished(stop);
    const program = new ProgramHere({ args, folder, environment });
    if (input !== undefined) program.process.stdin.end(input);
    void program.end.then(stop);
    return program;
  },
  run: (args, how) => programHere.start(args, { input: '', ...how }).end,
};

/** The way of the library to the program in this process, see {@link programHere}. */
export function transportHere(start: CliStart): Transport {
  return new InProcessTransport(start, async ({ args, input, output, errors, folder, environment, onTerminate }) => {
    const stop = useEnvironment(environment);
    onTestFinished(stop);
    const stops = { onInterrupt: () => () => undefined, onTerminate };
    return main({ args, streams: { input, output, errors, environment }, stops, folder, version: manifest.version, program: PROGRAM }).finally(stop);
  });
}

/** The program in this process with a model server, a folder, and a home of its own for each test. Called at the top of a file. */
export function programWithModelHere(): ProgramWithModel<ProgramHere> {
  return forEachTest(new ProgramWithModel(programHere));
}
