import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../files/file-errors.js';
import { windowsProgram } from './find-program.js';

/** Milliseconds for processes that still work when the shell has ended, such as `tee` in `> >(tee log)`. */
const LEFTOVER_MS = 300;
/** How long processes may take to end after they were asked, before they are killed, in milliseconds. */
const GRACE_MS = 1_000;
/** How long killed processes are waited for. */
const KILLED_MS = 500;
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

/** The variable that marks the processes of one command, wherever they go. */
export const MARK_VARIABLE = 'GNOMON_COMMAND';

/**
 * Whether a process group has a member that still runs. A dead one that its parent never collects, as in a container
 * without an init process, can be signalled for ever; only the process table of Linux shows the difference.
 * @returns `true` where there is no such table: what can be signalled then counts as running.
 */
async function hasLiveMember(group: number): Promise<boolean> {
  const ids = await processIds();
  if (ids.length === 0) return true;
  const states = await Promise.all(ids.map(stateOf));
  return states.some((state) => state.group === group && state.alive);
}

/**
 * The processes with a mark in the environment they were started with, also those that left the group with
 * `setsid` or lost their parent. Only Linux lists environments; programs that replace theirs are not found.
 */
async function markedProcesses(mark: string): Promise<readonly number[]> {
  const wanted = `\0${MARK_VARIABLE}=${mark}\0`;
  const found = await Promise.all(
    (await processIds()).map(async (id) => {
      // Processes of other users, and those that have just ended, cannot be read.
      const environment = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => '');
      return `\0${environment}`.includes(wanted) ? [Number(id)] : [];
    }),
  );
  return found.flat();
}

async function processIds(): Promise<readonly string[]> {
  // Systems without this table are answered for by the callers.
  const names = process.platform === 'linux' ? await readdir('/proc').catch(() => []) : [];
  return names.filter((name) => /^\d+$/.test(name));
}

/** Format: proc(5), `/proc/pid/stat`: id, name in parentheses, state, parent, group. The name may contain anything. */
async function stateOf(id: string): Promise<{ readonly group: number; readonly alive: boolean }> {
  // A process that has just ended is not alive.
  const stat = await readFile(`/proc/${id}/stat`, 'latin1').catch(() => '');
  const [state = 'X', , group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { group: Number(group), alive: !['Z', 'X', ''].includes(state) };
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
   */
  constructor(
    private readonly leader: number,
    readonly mark: string,
  ) {
    if (running.size === 0) process.on('exit', killRunning);
    running.add(this);
  }

  /** Ends what the shell left in its group. What left the group did so on purpose, as daemons do, and continues. */
  async endLeftovers(): Promise<Leftovers> {
    const leftBehind = process.platform !== 'win32' && !(await this.goneWithin(LEFTOVER_MS));
    if (leftBehind || process.platform === 'win32') await this.endGroup();
    return { leftBehind, detached: await markedProcesses(this.mark) };
  }

  /**
   * With its first process a sandbox ends, and the system kills the others; returns when that is done. One is left where the first is killed while it makes the
   * sandbox: the second waits for it on an eventfd, which does not end with its writers, and only then has the system kill it with its parent (bubblewrap.c).
   * No option of bubblewrap comes before that, so it is killed here, by its mark.
   */
  async endSandbox(): Promise<Leftovers> {
    await this.killAllMarked();
    return { leftBehind: false, detached: [] };
  }

  /** Asks all processes to end, kills those that do not within a second, and returns when they are gone. */
  async end(): Promise<void> {
    const detached = await markedProcesses(this.mark);
    for (const pid of detached) signalled(pid, 'SIGTERM');
    await this.endGroup();
    await this.killAllMarked(detached);
  }

  /**
   * Whether any process of it still runs, in the group or beside it. Where there is no process table, whether the group can be signalled; on Windows always.
   */
  async isRunning(): Promise<boolean> {
    if (process.platform === 'win32') return true;
    return (this.signal(0) && (await hasLiveMember(this.leader))) || (await markedProcesses(this.mark)).length > 0;
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
      await this.goneWithin(KILLED_MS);
    }
  }

  /**
   * Repeats until no process is left: one that is being killed may just have started another, and shows no environment any
   * more while it still holds its files and ports.
   * @param ending those that were asked to end before
   */
  private async killAllMarked(ending: readonly number[] = []): Promise<void> {
    const end = performance.now() + KILLED_MS;
    const signaled = new Set(ending);
    for (;;) {
      const killed = await this.killMarked();
      for (const pid of killed) signaled.add(pid);
      const states = await Promise.all([...signaled].map((pid) => stateOf(String(pid))));
      if ((killed.length === 0 && states.every(({ alive }) => !alive)) || performance.now() > end) return;
      await delay(POLL_MS);
    }
  }

  /** @returns those that there were to kill. */
  private async killMarked(): Promise<readonly number[]> {
    return (await markedProcesses(this.mark)).filter((pid) => signalled(pid, 'SIGKILL'));
  }

  /** @returns whether there was any process left to signal. */
  private signal(signal: NodeJS.Signals | 0): boolean {
    return signalled(-this.leader, signal);
  }

  private async goneWithin(milliseconds: number): Promise<boolean> {
    const end = performance.now() + milliseconds;
    for (let pause = POLL_MS; this.signal(0) && (await hasLiveMember(this.leader)); pause *= 2) {
      if (performance.now() > end) return false;
      await delay(Math.min(pause, MAX_POLL_MS));
    }
    return true;
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

async function killTree(leader: number): Promise<void> {
  const killer = spawn(windowsProgram('taskkill.exe'), ['/PID', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  await new Promise((resolve) => {
    killer.once('close', resolve);
    killer.once('error', resolve);
  });
}

/**
 * Reads the group, and ends it when its input ends without another word: then the host is gone. Then, where there is a process table to read, those with
 * the mark `$1` that left the group, or were started just before their group was known. Then notes in the file `$2` that all is over.
 */
const SCRIPT = `
read -r group
read -r word
[ "$word" = done ] && exit
[ -z "$group" ] || kill -s KILL -- "-$group"
for file in /proc/[0-9]*/environ; do
  if grep -aqsF "${MARK_VARIABLE}=$1" "$file"; then
    id=\${file%/environ}
    kill -s KILL "\${id#/proc/}"
  fi
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
