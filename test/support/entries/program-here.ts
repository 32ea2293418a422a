import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import manifest from '../../../package.json' with { type: 'json' };
import { main, type ProgramParts } from '../../../src/headless/index.js';
import { environmentOf } from '../headless-program.js';

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
export class ProgramHere {
  /** As a process has them. */
  readonly process: { readonly stdin: PassThrough; readonly stdout: PassThrough };
  errors = '';
  /** Resolves with its exit code when it has ended. */
  readonly end: Promise<number>;
  private readonly interrupts = new Set<() => void>();

  constructor({ args, folder, environment, screen }: HereStart) {
    const isTTY = screen !== undefined;
    const stdin = Object.assign(new PassThrough(), isTTY ? { isTTY, setRawMode: () => undefined } : {});
    const stdout = Object.assign(new PassThrough(), isTTY ? { isTTY } : {});
    this.process = { stdin, stdout };
    if (isTTY) stdout.on('data', (bytes: Buffer) => screen(bytes.toString('utf8')));
    const write = (bytes: Buffer, _encoding: BufferEncoding, done: () => void): void => {
      this.errors += bytes.toString('utf8');
      screen?.(bytes.toString('utf8'));
      done();
    };
    const onInterrupt = (listener: () => void): (() => void) => {
      this.interrupts.add(listener);
      return () => this.interrupts.delete(listener);
    };
    this.end = main({
      args,
      streams: { input: stdin, output: stdout, errors: Object.assign(new Writable({ write }), isTTY ? { isTTY } : {}), environment },
      stops: { onInterrupt, onTerminate: () => () => undefined },
      folder,
      version: manifest.version,
      program: PROGRAM,
    });
  }

  /** What Ctrl+C does. */
  interrupt(): void {
    for (const listener of this.interrupts) listener();
  }
}
