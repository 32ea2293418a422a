import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { isAbsolute, join } from 'node:path';
import { isProgram } from '../process/find-program.js';

/** A search gives what it has found after this many milliseconds. */
const TIME_LIMIT_MS = 30_000;
const MAX_MESSAGE_BYTES = 8_192;
/** What ripgrep needs of the environment: where global ignore files are, and what Windows programs cannot do without. */
const ENVIRONMENT = ['HOME', 'XDG_CONFIG_HOME', 'USERPROFILE', 'SystemRoot', 'LANG'];

/** How many bytes after a mark are kept of a record that is too long. */
const KEPT_BYTES = 64;

/** One record of a stream. `afterMark` is set only where the record was too long and contains the mark beyond the limit. */
export interface StreamRecord {
  /** The record, or its first bytes up to the limit. */
  readonly head: Buffer;
  readonly complete: boolean;
  /** Up to 64 bytes from the mark on. */
  readonly afterMark: Buffer | undefined;
}

/** How a stream is cut. */
export interface SplitterOptions {
  /** The byte that ends a record. */
  readonly separator: number;
  /** Longest record that is kept whole, in bytes. */
  readonly limit: number;
  /** In a record that is too long, what follows these bytes is worth keeping. */
  readonly mark: Buffer;
}

/** Cuts a stream of bytes into records, in bounded memory however long a record is. */
class RecordSplitter {
  private parts: Buffer[] = [];
  private length = 0;
  private window: Buffer = Buffer.alloc(0);
  private afterMark: Buffer | undefined;

  constructor(
    private readonly options: SplitterOptions,
    private readonly onRecord: (record: StreamRecord) => void,
  ) {}

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(this.options.separator); end !== -1; end = chunk.indexOf(this.options.separator, start)) {
      this.append(chunk.subarray(start, end));
      this.emit();
      start = end + 1;
    }
    this.append(chunk.subarray(start));
  }

  /** Gives what came after the last separator, if anything did. */
  end(): void {
    this.emit();
  }

  private append(part: Buffer): void {
    if (part.length === 0) return;
    const room = this.options.limit - Math.min(this.length, this.options.limit);
    if (room > 0) this.parts.push(part.subarray(0, room));
    this.length += part.length;
    if (part.length > room) this.scan(part.subarray(room));
  }

  /** Looks for the mark in what is not kept, across the borders of chunks. */
  private scan(part: Buffer): void {
    const window = Buffer.concat([this.window, part]);
    const at = this.afterMark === undefined || this.afterMark.length < KEPT_BYTES ? window.indexOf(this.options.mark) : -1;
    if (at !== -1) this.afterMark = window.subarray(at, at + KEPT_BYTES);
    this.window = window.subarray(-KEPT_BYTES);
  }

  private emit(): void {
    const { afterMark, length, parts } = this;
    this.parts = [];
    this.length = 0;
    this.window = Buffer.alloc(0);
    this.afterMark = undefined;
    const [only] = parts;
    const head = only !== undefined && parts.length === 1 ? only : Buffer.concat(parts);
    if (length > 0) this.onRecord({ head, complete: length <= this.options.limit, afterMark });
  }
}

/** How ripgrep is started. */
export interface RipgrepRun {
  /** Absolute path of the program. */
  readonly program: string;
  readonly args: readonly string[];
  /** Absolute path of the folder to run in. */
  readonly cwd: string;
  readonly split: SplitterOptions;
  /** Takes one record; `false` ends the search. */
  readonly onRecord: (record: StreamRecord) => boolean;
}

/** How it ended. */
export interface RipgrepEnd {
  /** Exit code; 1 means no match, 2 an error; `undefined` when it was ended before its own end. */
  readonly code: number | undefined;
  /** The beginning of what it had to say. */
  readonly message: string;
}

/**
 * Runs ripgrep without a shell, configuration file or input.
 * @throws the signal's reason when that stops it, Error when it cannot be started.
 */
export async function runRipgrep(run: RipgrepRun, signal: AbortSignal): Promise<RipgrepEnd> {
  const child = start(run, signal);
  const stopping = new AbortController();
  const stop = (): void => {
    stopping.abort();
    child.kill('SIGKILL');
    child.stdout.destroy();
  };
  const release = stopOn(signal, stop);
  const splitter = new RecordSplitter(run.split, (record) => {
    if (!stopping.signal.aborted && !run.onRecord(record)) stop();
  });
  const failed = pass(child.stdout, splitter, stop);
  const end = await endOf(child, stopping.signal).finally(release);
  signal.throwIfAborted();
  if (failed.length > 0) throw failed[0];
  const code = stopping.signal.aborted ? undefined : end.code;
  if (code !== undefined) splitter.end();
  return { ...end, code };
}

/** Stops when the signal or the time limit says so, until it is released. */
function stopOn(signal: AbortSignal, stop: () => void): () => void {
  const timer = setTimeout(stop, TIME_LIMIT_MS);
  signal.addEventListener('abort', stop, { once: true });
  return () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  };
}

/** Passes output on. What goes wrong is kept for later: thrown from the stream's event, it would end the process. */
function pass(stream: Readable, splitter: RecordSplitter, stop: () => void): readonly unknown[] {
  const failed: unknown[] = [];
  stream.on('data', (chunk: Buffer) => {
    try {
      splitter.push(chunk);
    } catch (error) {
      failed.push(error);
      stop();
    }
  });
  return failed;
}

function start(run: RipgrepRun, signal: AbortSignal): ChildProcessByStdio<null, Readable, Readable> {
  signal.throwIfAborted();
  const options = { cwd: run.cwd, env: environment(), windowsHide: true };
  return spawn(run.program, ['--no-config', ...run.args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Waits for the end; what was stopped, and so was killed, is not waited for. */
async function endOf(child: ChildProcessByStdio<null, Readable, Readable>, stopped: AbortSignal): Promise<RipgrepEnd> {
  let message = '';
  child.stderr.on('data', (chunk: Buffer) => {
    message = (message + chunk.toString('utf8')).slice(0, MAX_MESSAGE_BYTES);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
    stopped.addEventListener('abort', () => resolve(null), { once: true });
  });
  return { code: code ?? undefined, message };
}

function environment(): Record<string, string> {
  const known = ENVIRONMENT.map((name): [string, string | undefined] => [name, process.env[name]]);
  return Object.fromEntries(known.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/**
 * The ripgrep that comes with VS Code, be it on a desktop, where modules lie beside an archive, or on a server. Looked for
 * only there: a program of that name in the workspace or on the search path could be anyone's.
 * @param appRoot `vscode.env.appRoot`.
 * @throws Error when it is in none of the places where versions of VS Code keep it.
 */
export async function findRipgrep(appRoot: string): Promise<string> {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const platform = `${process.platform}-${process.arch}`;
  const modules = ['node_modules', 'node_modules.asar.unpacked'];
  const inside = [
    join('ripgrep-universal', 'bin', platform, name),
    join('ripgrep', 'bin', platform, name),
    join('ripgrep', 'bin', name),
    join(`ripgrep-${platform}`, 'bin', name),
  ];
  if (!isAbsolute(appRoot)) throw new Error('The folder of VS Code is not known.');
  const candidates = modules.flatMap((folder) => inside.map((rest) => join(appRoot, folder, '@vscode', rest)));
  for (const candidate of candidates) {
    if (await isProgram(candidate)) return candidate;
  }
  throw new Error(`VS Code's ripgrep was not found below ${appRoot}.`);
}
