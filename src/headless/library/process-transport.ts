import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { fileURLToPath } from 'node:url';
import { errorMessage } from '../../domain/errors.js';
import { present } from '../../domain/present.js';
import { redact } from '../../text/redact.js';
import { CliConnectionError, CliNotFoundError, InvalidInputError, NotConnectedError, ProcessFailedError } from './errors.js';
import { JsonLines } from './json-lines.js';
import type { JsonObject } from './parse-message.js';
import { type CliStart, KEPT_STDERR, type Patience, type Transport, USUAL_PATIENCE } from './transport.js';

/** How the program ended. */
interface End {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** What runs and would outlive this process; `undefined` as long as nothing has. */
let running: Set<ChildProcessWithoutNullStreams> | undefined;

/** Ends a process when this one exits. */
function endWithThis(child: ChildProcessWithoutNullStreams): void {
  if (running === undefined) {
    const all = new Set<ChildProcessWithoutNullStreams>();
    running = all;
    process.once('exit', () => {
      for (const each of all) each.kill();
    });
  }
  running.add(child);
  child.once('exit', () => running?.delete(child));
}

/** The program as a process of its own. */
export class ProcessTransport implements Transport {
  private child: ChildProcessWithoutNullStreams | undefined;
  private ended: Promise<End> = Promise.resolve({ exitCode: null, signal: null });
  private errorsEnded: Promise<void> = Promise.resolve();
  private errors = '';
  private inputEnded = false;
  private hasEnded = false;
  private closing: Promise<void> | undefined;
  /** Whether this object has ended the process, so that how it ended says nothing. */
  private killed = false;

  /**
   * @param cliPath where the program is: a file, which Node runs if its name ends in `.js`, `.mjs`, or `.cjs`; or a name without a slash, which
   * is looked for on the `PATH`. Left out: `gnomon.js` beside the file that this code is in.
   * @param patience what it has for its end
   */
  constructor(
    private readonly start: CliStart,
    private readonly cliPath: string = fileURLToPath(new URL('gnomon.js', import.meta.url)),
    private readonly patience: Patience = USUAL_PATIENCE,
  ) {}

  async connect(): Promise<void> {
    if (this.child !== undefined || this.closing !== undefined) throw new NotConnectedError('A run of Gnomon can be started only once.');
    const { cwd } = this.start;
    // What spawn says of a folder that is not there looks like a missing program.
    if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) throw new InvalidInputError(`The option cwd names no folder: ${cwd}`);
    const child = this.spawned();
    this.child = child;
    this.ended = new Promise((done) => child.once('exit', (exitCode, signal) => done({ exitCode, signal })));
    child.once('exit', () => (this.hasEnded = true));
    // Who writes gets the error, too; and a program may end before it has read everything.
    child.stdin.on('error', () => undefined);
    this.errorsEnded = this.listenToErrors(child);
    await new Promise<void>((done, reject) => {
      child.once('spawn', done);
      child.on('error', (error) => reject(this.notStarted(error)));
    });
    endWithThis(child);
  }

  isReady(): boolean {
    return this.child !== undefined && !this.inputEnded && !this.hasEnded && this.closing === undefined;
  }

  async write(text: string): Promise<void> {
    const { child } = this;
    if (child === undefined || !this.isReady()) throw new NotConnectedError();
    await new Promise<void>((done, reject) => {
      child.stdin.write(text, (error) => {
        if (error === null || error === undefined) done();
        else reject(new CliConnectionError(`Gnomon’s program takes no input any more: ${errorMessage(error)}`, { cause: error }));
      });
    });
  }

  async *readMessages(): AsyncGenerator<JsonObject> {
    const { child } = this;
    if (child === undefined) throw new NotConnectedError();
    const lines = new JsonLines(this.start.maxBufferSize);
    for await (const bytes of this.output(child)) yield* lines.push(bytes);
    try {
      yield* lines.end();
    } catch (error) {
      // How the program ended says more than that its last line is cut off.
      await this.endedWell(error);
      if (!this.killed) throw error;
    }
    await this.endedWell();
  }

  endInput(): Promise<void> {
    this.inputEnded = true;
    this.child?.stdin.end();
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private spawned(): ChildProcessWithoutNullStreams {
    const { args, cwd, env, user } = this.start;
    const { cliPath } = this;
    const how = { cwd, windowsHide: true, ...present({ uid: user }) };
    const isScript = /\.[cm]?js$/.test(cliPath);
    const isFile = isScript || /[\\/]/.test(cliPath);
    const path = isFile ? resolve(cliPath) : cliPath;
    if (isFile && !existsSync(path)) throw new CliNotFoundError(path);
    try {
      if (!isScript) return spawn(path, args, { ...how, env });
      // The program that Electron makes of Node is a window unless it is told otherwise.
      const electron = 'electron' in process.versions ? { ELECTRON_RUN_AS_NODE: '1' } : {};
      return spawn(process.execPath, [path, ...args], { ...how, env: { ...env, ...electron } });
    } catch (error) {
      throw this.notStarted(error);
    }
  }

  private notStarted(error: unknown): Error {
    this.hasEnded = true;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new CliNotFoundError(this.cliPath, error);
    return new CliConnectionError(`Gnomon’s program cannot be started: ${redact(errorMessage(error))}`, { cause: error });
  }

  private listenToErrors({ stderr }: ChildProcessWithoutNullStreams): Promise<void> {
    const decoder = new StringDecoder('utf8');
    stderr.on('data', (bytes: Buffer) => {
      const text = decoder.write(bytes);
      this.errors = (this.errors + text).slice(-KEPT_STDERR);
      this.start.stderr?.(text);
    });
    return new Promise((done) => stderr.once('close', done));
  }

  /** What it writes, also when its end is not told because a process that it left behind holds the pipe. */
  private async *output(child: ChildProcessWithoutNullStreams): AsyncGenerator<Buffer> {
    const { stdout } = child;
    const { quietMs } = this.patience;
    // Who reads may take its time, and nothing is lost then: only a time without output counts.
    let waitsSince: number | undefined = Date.now();
    const watch = { isOver: false };
    const watching = setInterval(() => {
      if (!this.hasEnded || waitsSince === undefined || Date.now() - waitsSince < quietMs) return;
      watch.isOver = true;
      stdout.destroy();
    }, quietMs / 4).unref();
    const restart = (): void => {
      if (waitsSince !== undefined) waitsSince = Date.now();
    };
    child.once('exit', restart);
    try {
      for await (const bytes of stdout as AsyncIterable<Buffer>) {
        waitsSince = undefined;
        yield bytes;
        waitsSince = Date.now();
      }
    } catch (error) {
      if (!watch.isOver && !this.killed) throw new CliConnectionError(`The output of Gnomon’s program broke off: ${errorMessage(error)}`, { cause: error });
    } finally {
      child.off('exit', restart);
      clearInterval(watching);
    }
  }

  /** Waits for its end. One that goes on where it can say nothing any more is ended. */
  private async endedWell(cause?: unknown): Promise<void> {
    const { endMs, quietMs } = this.patience;
    if (!(await this.endsWithin(endMs))) await this.close();
    const { exitCode, signal } = await this.ended;
    await Promise.race([this.errorsEnded, after(quietMs)]);
    if (exitCode === 0 || this.killed) return;
    throw new ProcessFailedError({ exitCode, signal, stderr: this.errors }, this.start.env, cause);
  }

  private async end(): Promise<void> {
    const { child, patience } = this;
    if (child === undefined || this.hasEnded) return;
    child.stdin.end();
    if (await this.endsWithin(patience.endMs)) return;
    this.killed = true;
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      child.kill(signal);
      if (await this.endsWithin(patience.terminateMs)) return;
    }
  }

  private endsWithin(ms: number): Promise<boolean> {
    return Promise.race([this.ended.then(() => true), after(ms).then(() => false)]);
  }
}

function after(ms: number): Promise<void> {
  return new Promise((done) => void setTimeout(done, ms).unref());
}
