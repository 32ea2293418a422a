import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../domain/errors.js';
import type { HookHandler } from '../../domain/hook/definition.js';
import type { HookAnswer, HookStart } from '../../domain/hook/runner.js';
import { t } from '../../domain/l10n.js';
import { serverEnvironment } from '../../domain/mcp/environment.js';
import { errorCode } from '../files/file-errors.js';
import { ProcessGroup, HostWatch } from '../process/process-group.js';
import { MARK_VARIABLE } from '../process/process-table.js';
import { hookProgram } from './hook-program.js';

/** Bytes that are kept of what a hook prints. */
const MAX_STDOUT = 1024 * 1024;
const MAX_STDERR = 64 * 1024;
/** How long output is waited for that others hold open when the hook itself has ended. */
const LAST_OUTPUT_MS = 100;

type CommandHandler = Extract<HookHandler, { type: 'command' }>;
/** An answer without how long it took, which is measured around all of it. */
export type WithoutTime<Answer> = Answer extends unknown ? Omit<Answer, 'durationMs'> : never;
interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** What is made of how a process ended. */
type End = WithoutTime<Extract<HookAnswer, { type: 'exited' | 'killed' | 'timed_out' | 'aborted' }>>;

/** The beginning of an output, up to a number of bytes; the rest is only known to be there. */
export class Kept {
  private readonly chunks: Uint8Array[] = [];
  private size = 0;
  private cut = false;

  /** @param limit bytes that are kept */
  constructor(private readonly limit: number) {}

  add(chunk: Uint8Array): void {
    const room = this.limit - this.size;
    if (chunk.length > room) this.cut = true;
    if (room <= 0) return;
    const part = chunk.subarray(0, room);
    this.chunks.push(part);
    this.size += part.length;
  }

  get bytes(): Uint8Array {
    return Buffer.concat(this.chunks);
  }

  get text(): string {
    return Buffer.concat(this.chunks).toString('utf8');
  }

  /** Whether there was more than is kept. */
  get isCut(): boolean {
    return this.cut;
  }
}

/**
 * The process of one hook, as the leader of a group of its own. It gets the few variables that every program needs and those that its
 * file gives it: no key of a model or server. What it leaves running may go on until its time is over, and no longer.
 */
export class HookProcess {
  private readonly stdout = new Kept(MAX_STDOUT);
  private readonly stderr = new Kept(MAX_STDERR);
  private readonly exited: Promise<Exit>;
  private readonly closed: Promise<unknown>;
  private ending: Promise<void> | undefined;
  private released: () => void = () => undefined;
  /** Resolves when nothing of it runs any more, or is known to. */
  readonly gone = new Promise<void>((done) => (this.released = done));

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly group: ProcessGroup,
    private readonly watch: HostWatch,
  ) {
    this.exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
    this.closed = new Promise((resolve) => child.once('close', resolve));
    child.stdout.on('data', (chunk: Buffer) => this.stdout.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.stderr.add(chunk));
    // A hook that does not read its input has ended, or ignores it; neither is a failure.
    child.stdin.on('error', () => undefined);
  }

  /** @throws Error with a sentence for users when it cannot be started. */
  static async start({ handler, cwd, variables }: HookStart & { readonly handler: CommandHandler }): Promise<HookProcess> {
    const folder = resolve(cwd, handler.cwd ?? '.');
    await checkFolder(folder);
    const mark = randomUUID();
    const env = { ...serverEnvironment(process.env, { ...variables, ...handler.env }, process.platform), [MARK_VARIABLE]: mark };
    const watch = new HostWatch(mark);
    try {
      const { program, args, verbatim = false } = await hookProgram(handler, env);
      const child = spawn(program, [...args], {
        cwd: folder,
        env,
        detached: process.platform !== 'win32',
        windowsHide: true,
        windowsVerbatimArguments: verbatim,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const leader = await startedAs(child);
      watch.follow(leader);
      return new HookProcess(child, new ProcessGroup(leader, mark), watch);
    } catch (error) {
      watch.end();
      throw startError(error, handler.command);
    }
  }

  /** Tells it what happened, and waits for its end: its own, that of its time, or that of the turn. */
  async run(input: string, timeoutMs: number, signal: AbortSignal): Promise<End> {
    const begun = performance.now();
    this.child.stdin.end(input);
    const end = await this.firstEnd(timeoutMs, signal);
    // Ended by `dispose`, it was not killed from outside.
    if (end === 'aborted' || (this.ending !== undefined && end !== 'timed_out')) {
      await this.kill();
      return { type: 'aborted' };
    }
    if (end === 'timed_out') {
      await this.kill();
      return { type: 'timed_out', stderr: this.stderr.text };
    }
    this.child.stdin.destroy();
    void this.endLeftovers(timeoutMs - (performance.now() - begun));
    const { code, signal: killedBy } = end;
    if (code === null) return { type: 'killed', signal: killedBy ?? '?', stderr: this.stderr.text };
    return { type: 'exited', exitCode: code, stdout: this.stdout.bytes, stderr: this.stderr.text, ...(this.stdout.isCut ? { cut: true as const } : {}) };
  }

  /** Ends all of it. Resolves when nothing runs any more. */
  kill(): Promise<void> {
    this.ending ??= this.group.end().finally(() => this.release());
    return this.ending;
  }

  private async exit(): Promise<Exit> {
    const end = await this.exited;
    await Promise.race([this.closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
    return end;
  }

  private async firstEnd(timeoutMs: number, signal: AbortSignal): Promise<Exit | 'timed_out' | 'aborted'> {
    // Those that lose are let go of: one signal is that of a whole turn, with many hooks.
    const over = new AbortController();
    const late = delay(timeoutMs, 'timed_out' as const, { ref: false, signal: over.signal }).catch(() => 'timed_out' as const);
    try {
      return await Promise.race([this.exit(), late, aborted(signal, over.signal)]);
    } finally {
      over.abort();
    }
  }

  /** What the hook has started and left, such as a sound that is being played, ends with its time. */
  private async endLeftovers(leftMs: number): Promise<void> {
    if (!(await this.group.isRunning())) this.release();
    else setTimeout(() => void this.kill(), Math.max(0, leftMs)).unref();
  }

  private release(): void {
    this.watch.end();
    this.group.release();
    this.released();
  }
}

/** A missing folder would be reported as a missing program. */
async function checkFolder(path: string): Promise<void> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new Error(t('There is no folder {0} to run it in.', path));
}

function startError(error: unknown, command: string): Error {
  const code = errorCode(error);
  if (code === 'ENOENT') return new Error(t('There is no program {0}.', command), { cause: error });
  if (code === 'EACCES') return new Error(t('{0} may not be run: it is not executable.', command), { cause: error });
  // Without a code it is a sentence already, such as the one on a missing shell.
  if (code === undefined && error instanceof Error) return error;
  return new Error(t('{0} could not be started: {1}', command, errorMessage(error)), { cause: error });
}

async function startedAs(child: ChildProcess): Promise<number> {
  await new Promise<void>((started, failed) => {
    child.once('spawn', started);
    child.once('error', failed);
  });
  if (child.pid === undefined) throw new Error(t('The hook was started without a process ID.'));
  return child.pid;
}

function aborted(signal: AbortSignal, over: AbortSignal): Promise<'aborted'> {
  return new Promise((done) => {
    if (signal.aborted) done('aborted');
    signal.addEventListener('abort', () => done('aborted'), { once: true, signal: over });
  });
}
