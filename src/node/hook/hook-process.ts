import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../domain/errors.js';
import type { HookHandler } from '../../domain/hook/definition.js';
import type { HookAnswer, HookStart } from '../../domain/hook/runner.js';
import { t } from '../../domain/l10n.js';
import { serverEnvironment } from '../../domain/mcp/environment.js';
import { errorCode } from '../files/file-errors.js';
import { batchCommand, isBatchFile } from '../process/batch-command.js';
import { hasLiveMember, MARK_VARIABLE } from '../process/live-members.js';
import { ProcessGroup } from '../process/process-group.js';
import { defaultShell } from '../process/shell.js';
import { watchHost } from '../process/watchdog.js';
import { Kept } from './kept.js';

/** Bytes that are kept of what a hook prints. */
const MAX_STDOUT = 1024 * 1024;
const MAX_STDERR = 64 * 1024;
/** How long output is waited for that others hold open when the hook itself has ended. */
const LAST_OUTPUT_MS = 100;

type CommandHandler = Extract<HookHandler, { type: 'command' }>;
type WithoutTime<Answer> = Answer extends unknown ? Omit<Answer, 'durationMs'> : never;
/** How a process ended. */
type End = WithoutTime<Extract<HookAnswer, { type: 'exited' | 'killed' | 'timed_out' | 'aborted' }>>;

/**
 * The process of one hook, as the leader of a group of its own. It gets the few variables that every program needs and those that its
 * file gives it: no key of a model or server. What it leaves running may go on until its time is over, and no longer.
 */
export class HookProcess {
  private readonly group: ProcessGroup;
  private readonly unwatch: () => void;
  private readonly stdout = new Kept(MAX_STDOUT);
  private readonly stderr = new Kept(MAX_STDERR);
  private readonly exited: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  private readonly closed: Promise<unknown>;
  private readonly timer = new AbortController();
  private ending: Promise<void> | undefined;
  private released: () => void = () => undefined;
  /** Resolves when nothing of it runs any more, or is known to. */
  readonly gone = new Promise<void>((resolve) => (this.released = resolve));

  private constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly leader: number,
    mark: string,
  ) {
    this.group = new ProcessGroup(leader, mark);
    this.unwatch = watchHost(leader, mark);
    this.exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve({ code, signal })));
    this.closed = new Promise((resolve) => child.once('close', resolve));
    child.stdout.on('data', (chunk: Buffer) => this.stdout.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.stderr.add(chunk));
    // A hook that does not read what it is told has ended, or does not want it; neither is a failure.
    child.stdin.on('error', () => undefined);
  }

  /** @throws Error with a sentence for users when it cannot be started. */
  static async start({ handler, cwd, variables }: HookStart & { readonly handler: CommandHandler }): Promise<HookProcess> {
    const folder = handler.cwd ?? cwd;
    await checkFolder(folder);
    const mark = randomUUID();
    const env = { ...serverEnvironment(process.env, { ...variables, ...handler.env }, process.platform), [MARK_VARIABLE]: mark };
    const { program, args, verbatim = false } = await programOf(handler);
    const child = spawn(program, [...args], { cwd: folder, env, detached: process.platform !== 'win32', windowsHide: true, windowsVerbatimArguments: verbatim, stdio: ['pipe', 'pipe', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => reject(startError(error, handler.command)));
    });
    if (child.pid === undefined) throw new Error(t('The hook was started without a process ID.'));
    return new HookProcess(child, child.pid, mark);
  }

  /** Tells it what happened, and waits for its end: its own, that of its time, or that of the turn. */
  async run(input: string, timeoutMs: number, signal: AbortSignal): Promise<End> {
    this.child.stdin.end(input);
    const end = await Promise.race([this.exit(), this.late(timeoutMs), aborted(signal)]);
    if (end === 'timed_out' || end === 'aborted') {
      await this.kill();
      return end === 'aborted' ? { type: 'aborted' } : { type: 'timed_out', stderr: this.stderr.text };
    }
    void this.endLeftovers(timeoutMs);
    const { code, signal: killedBy } = end;
    if (code === null) return { type: 'killed', signal: killedBy ?? '?', stderr: this.stderr.text };
    return { type: 'exited', exitCode: code, stdout: this.stdout.bytes, stderr: this.stderr.text, ...(this.stdout.isCut ? { cut: true as const } : {}) };
  }

  /** Ends all of it. Resolves when nothing runs any more. */
  kill(): Promise<void> {
    this.ending ??= this.group.end().finally(() => this.release());
    return this.ending;
  }

  private async exit(): Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }> {
    const end = await this.exited;
    await Promise.race([this.closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
    return end;
  }

  private async late(timeoutMs: number): Promise<'timed_out'> {
    await delay(timeoutMs, undefined, { ref: false, signal: this.timer.signal }).catch(() => undefined);
    return 'timed_out';
  }

  /** What the hook has started and left, such as a sound that is being played, ends with its time. */
  private async endLeftovers(timeoutMs: number): Promise<void> {
    if (process.platform !== 'win32' && !(await hasLiveMember(this.leader))) this.release();
    else setTimeout(() => void this.kill(), timeoutMs).unref();
  }

  private release(): void {
    this.timer.abort();
    this.unwatch();
    this.group.release();
    this.released();
  }
}

/** A command line goes to the shell as its author wrote it; a program with arguments to none. */
async function programOf({ command, args, shell: wanted }: CommandHandler): Promise<{ readonly program: string; readonly args: readonly string[]; readonly verbatim?: boolean }> {
  if (args === undefined) {
    if (process.platform === 'win32' && wanted === 'bash') return { program: 'bash.exe', args: ['--noprofile', '--norc', '-c', command] };
    const shell = await defaultShell();
    return { program: shell.program, args: shell.argumentsFor(command) };
  }
  if (process.platform !== 'win32' || !isBatchFile(command)) return { program: command, args };
  return { ...batchCommand(command, args), verbatim: true };
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
  return new Error(t('{0} could not be started: {1}', command, errorMessage(error)), { cause: error });
}

function aborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('aborted');
    signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}
