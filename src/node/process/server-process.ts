import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { serverEnvironment } from '../../domain/mcp/environment.js';
import type { McpProcess, McpProcessEnd, McpProcessEvents, McpProcessStart } from '../../domain/mcp/process.js';
import { batchCommand, isBatchFile } from './batch-command.js';
import { startedProgram } from './find-program.js';
import { ProcessGroup, HostWatch } from './process-group.js';
import { MARK_VARIABLE } from './process-table.js';

/** How long a server may take to end after its input was closed, in milliseconds; then it is asked with SIGTERM. */
const INPUT_CLOSED_MS = 500;
/** How long output is waited for that others hold open when the server itself has ended. */
const LAST_OUTPUT_MS = 200;

/**
 * Starts a server as the leader of a process group of its own, without a shell. Nothing of it outlives {@link McpProcess.end}, its own
 * end, or this process, however it ends (see {@link HostWatch}).
 */
export async function startServerProcess(start: McpProcessStart, events: McpProcessEvents): Promise<McpProcess> {
  await checkFolder(start.cwd);
  const mark = randomUUID();
  const env = { ...serverEnvironment(process.env, start.env, process.platform), [MARK_VARIABLE]: mark };
  const program = await startedProgram(start.command, env);
  const batch = process.platform === 'win32' && isBatchFile(program) ? batchCommand(program, start.args) : undefined;
  const watch = new HostWatch(mark);
  try {
    const child = spawn(batch?.program ?? program, batch?.args ?? start.args, {
      cwd: start.cwd,
      env,
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: batch !== undefined,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    // Node reports failed writes twice; the callback of each write is what is listened to.
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', events.stdout);
    child.stderr.on('data', events.stderr);
    const exited = exitOf(child);
    const leader = await startedAs(child);
    watch.follow(leader);
    const server = new ServerProcess(child, new ProcessGroup(leader, mark), watch);
    void exited.then(() => server.end());
    void closing(child, exited).then(events.ended);
    return server;
  } catch (error) {
    watch.end();
    throw error;
  }
}

class ServerProcess implements McpProcess {
  private readonly gone: Promise<unknown>;
  private ending: Promise<void> | undefined;

  constructor(
    private readonly child: ChildProcessWithoutNullStreams,
    private readonly group: ProcessGroup,
    private readonly watch: HostWatch,
  ) {
    this.gone = new Promise((resolve) => child.once('exit', resolve));
  }

  write(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.ending !== undefined) reject(new Error('The input of the process is closed.'));
      else this.child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  end(): Promise<void> {
    this.ending ??= this.endAll();
    return this.ending;
  }

  private async endAll(): Promise<void> {
    this.child.stdin.end();
    if (this.child.exitCode === null && this.child.signalCode === null) await Promise.race([this.gone, delay(INPUT_CLOSED_MS, undefined, { ref: false })]);
    // Also when it exited on its own: its child processes must not continue without it.
    await this.group.end();
    this.watch.end();
    this.group.release();
  }
}

async function startedAs(child: ChildProcess): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  if (child.pid === undefined) throw new Error('The server was started without a process id.');
  return child.pid;
}

/** A missing folder would be reported as a missing program. */
async function checkFolder(path: string): Promise<void> {
  const folder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!folder) throw Object.assign(new Error(`There is no folder ${path}.`), { code: 'ENOTDIR' });
}

function exitOf(child: ChildProcess): Promise<McpProcessEnd> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** The end of a process together with its output, or shortly after it if others hold the output open. */
async function closing(child: ChildProcess, exited: Promise<McpProcessEnd>): Promise<McpProcessEnd> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  const end = await exited;
  await Promise.race([closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
  return end;
}
