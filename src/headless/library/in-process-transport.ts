import { PassThrough, type Readable, type Writable } from 'node:stream';
import { type Environment, NotConnectedError, ProcessFailedError } from './errors.js';
import { JsonLines } from './json-lines.js';
import type { JsonObject } from './parse-message.js';
import { type CliStart, KEPT_STDERR, type Transport, USUAL_PATIENCE } from './transport.js';

/** What a program that runs in this process is started with. */
export interface InProcessStart {
  readonly args: readonly string[];
  readonly folder: string;
  readonly input: Readable;
  readonly output: Writable;
  readonly errors: Writable;
  readonly environment: Environment;
  /** Calls back when the program is to end. Returns how to stop that. */
  readonly onTerminate: (listener: () => void) => () => void;
}

/**
 * The program in this process, for tests and for those who embed it. What it reads of `process.env` and of the current folder is that of this
 * process, and where it does not end when it is asked to, nothing can end it.
 */
export class InProcessTransport implements Transport {
  private readonly input = new PassThrough();
  private readonly output = new PassThrough();
  private readonly errors = new PassThrough();
  private readonly terminating = new Set<() => void>();
  private stderr = '';
  private ended: Promise<number> | undefined;
  private hasEnded = false;
  private closing: Promise<void> | undefined;

  /** @param run runs the program. Resolves with its exit code */
  constructor(
    private readonly start: CliStart,
    private readonly run: (start: InProcessStart) => Promise<number>,
  ) {}

  connect(): Promise<void> {
    if (this.ended !== undefined || this.closing !== undefined) return Promise.reject(new NotConnectedError('A run of Gnomon can be started only once.'));
    const { input, output, errors } = this;
    const { args, cwd, env, stderr } = this.start;
    errors.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-KEPT_STDERR);
      stderr?.(text);
    });
    // Who is gone does not read to the end.
    output.on('error', () => undefined);
    this.ended = this.run({ args, folder: cwd, input, output, errors, environment: env, onTerminate: (listener) => this.onTerminate(listener) }).finally(() => {
      this.hasEnded = true;
      output.end();
    });
    // The reader of the output gets the error.
    this.ended.catch(() => undefined);
    return Promise.resolve();
  }

  isReady(): boolean {
    return this.ended !== undefined && !this.hasEnded && this.closing === undefined && !this.input.writableEnded;
  }

  async write(text: string): Promise<void> {
    if (!this.isReady()) throw new NotConnectedError();
    await new Promise<void>((done) => void this.input.write(text, () => done()));
  }

  async *readMessages(): AsyncGenerator<JsonObject> {
    if (this.ended === undefined) throw new NotConnectedError();
    const lines = new JsonLines(this.start.maxBufferSize);
    for await (const bytes of this.output as AsyncIterable<Buffer>) yield* lines.push(bytes);
    yield* lines.end();
    const exitCode = await this.ended;
    if (exitCode !== 0) throw new ProcessFailedError({ exitCode, signal: null, stderr: this.stderr }, this.start.env);
  }

  endInput(): Promise<void> {
    this.input.end();
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.closing ??= this.end();
    return this.closing;
  }

  private onTerminate(listener: () => void): () => void {
    this.terminating.add(listener);
    return () => this.terminating.delete(listener);
  }

  private async end(): Promise<void> {
    if (this.ended === undefined) return;
    this.input.end();
    await this.endsWithin(USUAL_PATIENCE.endMs);
    if (!this.hasEnded) for (const listener of this.terminating) listener();
    await this.endsWithin(USUAL_PATIENCE.terminateMs);
    this.output.destroy();
  }

  private endsWithin(patience: number): Promise<unknown> {
    return Promise.race([this.ended?.catch(() => undefined), new Promise((done) => void setTimeout(done, patience).unref())]);
  }
}
