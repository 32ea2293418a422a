import { spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../files/file-errors.js';
import { windowsProgram } from './find-program.js';
import { MARK_VARIABLE, ProcessTable, type RunningProcess } from './process-table.js';

/** Milliseconds for processes that still work when the shell has ended, such as `tee` in `> >(tee log)`. */
const LEFTOVER_MS = 300;
/** How long processes may take to end after they were asked, before they are killed, in milliseconds. */
const GRACE_MS = 1_000;
/** How long killed processes are waited for while nothing happens to them: one in a call to a dead network drive cannot be killed. */
const KILLED_MS = 500;
/** How long they are waited for in any case, should one never end or start others faster than these can be killed. */
const MAX_KILLED_MS = 10_000;
const POLL_MS = 5;
const MAX_POLL_MS = 50;

/** Groups that are running; killed when this process exits. */
const running = new Set<ProcessGroup>();

/** What was left when the shell of a command had ended. */
export interface Leftovers {
  /** Whether members of the group were still running; they were ended. */
  readonly leftBehind: boolean;
  /** Ids of processes that left the group and continue. */
  readonly detached: readonly number[];
}

/**
 * The processes of one command. On POSIX systems the group that its shell leads; on Windows the tree below it.
 * A process that makes a session of its own (`setsid`, a daemon) leaves the group. On Linux it is known by its mark
 * unless it replaced its environment; elsewhere it is not found any more, nor is any process of another user (`sudo`).
 */
export class ProcessGroup {
  /**
   * @param leader process id of the shell, started as the leader of a new group.
   * @param mark what its processes were given as `GNOMON_COMMAND`.
   * @param table the processes of the machine.
   */
  constructor(
    private readonly leader: number,
    readonly mark: string,
    private readonly table = new ProcessTable(),
  ) {
    if (running.size === 0) process.on('exit', killRunning);
    running.add(this);
  }

  /** Ends what the shell left in its group. What left the group did so on purpose, as daemons do, and continues. */
  async endLeftovers(): Promise<Leftovers> {
    const leftBehind = process.platform !== 'win32' && !(await this.goneWithin(LEFTOVER_MS));
    if (leftBehind || process.platform === 'win32') await this.endGroup();
    return { leftBehind, detached: await this.table.marked(this.mark) };
  }

  /**
   * With its first process a sandbox ends, and the system kills the others; returns when that is done. One is left where the first is killed while it makes the
   * sandbox: the second waits for it on an eventfd, which does not end with its writers, and only then has the system kill it with its parent (bubblewrap.c).
   * No option of bubblewrap comes before that, so it is killed here: by its mark, and with its group, for what has replaced its environment.
   */
  async endSandbox(): Promise<Leftovers> {
    if (this.signal('SIGKILL')) await untilGone(() => this.members());
    await this.killAllMarked();
    return { leftBehind: false, detached: [] };
  }

  /** Asks all processes to end, kills those that do not within a second, and returns when they are gone. */
  async end(): Promise<void> {
    const detached = await this.table.marked(this.mark);
    for (const pid of detached) signalled(pid, 'SIGTERM');
    await this.endGroup();
    await this.killAllMarked(detached);
  }

  /**
   * Whether any process of it still runs, in the group or beside it. Where there is no process table, whether the group can be signalled; on Windows always.
   */
  async isRunning(): Promise<boolean> {
    if (process.platform === 'win32') return true;
    return (await this.members()).length > 0 || (await this.table.marked(this.mark)).length > 0;
  }

  /** Forgets the group: it has ended. */
  release(): void {
    running.delete(this);
    if (running.size === 0) process.off('exit', killRunning);
  }

  /** Kills all processes without waiting. On exit of the extension host only the group is killed; the watchdog kills processes that left it. */
  kill(): void {
    if (process.platform === 'win32') spawn(windowsProgram('taskkill.exe'), ['/PID', String(this.leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    else this.signal('SIGKILL');
    void this.killMarked();
  }

  private async endGroup(): Promise<void> {
    if (process.platform === 'win32') await killTree(this.leader);
    else if (this.signal('SIGTERM') && !(await this.goneWithin(GRACE_MS))) {
      this.signal('SIGKILL');
      await untilGone(() => this.members());
    }
  }

  /** The members of the group that still run. Where there is no process table, what can be signalled counts as one of which nothing is known. */
  private async members(): Promise<readonly RunningProcess[]> {
    return this.signal(0) ? ((await this.table.membersOf(this.leader)) ?? [{ id: this.leader, isReady: false }]) : [];
  }

  /**
   * Repeats until no process is left: one that is being killed may just have started another, and shows no environment any
   * more while it still holds its files and ports.
   * @param ending those that were asked to end before
   */
  private async killAllMarked(ending: readonly number[] = []): Promise<void> {
    const signaled = new Set(ending);
    await untilGone(async () => {
      const left = await this.table.running([...signaled]);
      const others = (await this.killMarked()).filter((pid) => !signaled.has(pid));
      for (const pid of others) signaled.add(pid);
      return [...left, ...others.map((id) => ({ id, isReady: true }))];
    });
  }

  /** @returns those that there were to kill. */
  private async killMarked(): Promise<readonly number[]> {
    return (await this.table.marked(this.mark)).filter((pid) => signalled(pid, 'SIGKILL'));
  }

  /** @returns whether there was any process left to signal. */
  private signal(signal: NodeJS.Signals | 0): boolean {
    return signalled(-this.leader, signal);
  }

  private async goneWithin(milliseconds: number): Promise<boolean> {
    const end = performance.now() + milliseconds;
    for (let pause = POLL_MS; (await this.members()).length > 0; pause *= 2) {
      if (performance.now() > end) return false;
      await delay(Math.min(pause, MAX_POLL_MS));
    }
    return true;
  }
}

/**
 * Waits for processes that were killed. On a machine with much to do, one that was killed may have to wait long until it gets to end, and holds its files
 * and ports meanwhile. So only those are given up on that wait for something else, and those of other users (sudo), which cannot be killed from here.
 * @param look finds those that are left
 */
async function untilGone(look: () => Promise<readonly RunningProcess[]>): Promise<void> {
  const begin = performance.now();
  let moved = begin;
  let before = 0;
  for (;;) {
    const left = await look();
    if (left.length === 0) return;
    const now = performance.now();
    if (left.length !== before || left.some(({ id, isReady }) => isReady && !isOfOthers(id))) moved = now;
    before = left.length;
    if (now - moved > KILLED_MS || now - begin > MAX_KILLED_MS) return;
    await delay(POLL_MS);
  }
}

/** Kills every process of commands, servers, and hooks, at once: the host ends. */
function killRunning(): void {
  for (const group of running) group.kill();
}

/** @param target id of a process, or of a group with a minus. @returns whether there was any to signal. */
function signalled(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    // EPERM: there is one, of another user (sudo), which cannot be ended from here.
    if (errorCode(error) === 'ESRCH') return false;
    if (errorCode(error) === 'EPERM') return true;
    throw error;
  }
}

function isOfOthers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function killTree(leader: number): Promise<void> {
  const killer = spawn(windowsProgram('taskkill.exe'), ['/PID', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  await new Promise((resolve) => {
    killer.once('close', resolve);
    killer.once('error', resolve);
  });
}

/**
 * Reads the group, and ends it when its input ends without another word: then the host is gone. Then, where there is a process table to read, those with
 * the mark `$1` that left the group, or were started just before their group was known; twice, as one that is just loading its program shows no mark. Then
 * notes in the file `$2` that all is over.
 */
const SCRIPT = `
read -r group
read -r word
[ "$word" = done ] && exit
[ -z "$group" ] || kill -s KILL -- "-$group"
for round in 1 2; do
  printf '%s\\n' /proc/[0-9]*/environ | xargs grep -alsF "${MARK_VARIABLE}=$1" | while read -r file; do
    id=\${file%/environ}
    kill -s KILL "\${id#/proc/}"
  done
done
[ -z "$2" ] || echo over >> "$2"`;

/**
 * Watches that a command does not outlive this process, not even when that is killed. It is there before the command is started, so that there is no
 * moment without it. Without effect on Windows.
 */
export class HostWatch {
  private readonly input: Writable | undefined;
  private follows = false;

  /**
   * @param mark what the processes of the command are given as `GNOMON_COMMAND`
   * @param note absolute path of a file that is written to when it was ended
   */
  constructor(mark: string, note = '') {
    if (process.platform === 'win32') return;
    const child = spawn('/bin/sh', ['-c', SCRIPT, 'sh', mark, note], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    // Without a watchdog, the group is still ended at an orderly exit.
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    child.unref();
    this.input = child.stdin;
  }

  /** The command has been started. @param group id of its process group */
  follow(group: number): void {
    this.follows = true;
    this.input?.write(`${group}\n`);
  }

  /** The command has ended, or was never started. */
  end(): void {
    this.input?.end(this.follows ? 'done\n' : '\ndone\n');
  }
}
