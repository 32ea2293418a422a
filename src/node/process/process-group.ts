import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from '../files/file-errors.js';
import { hasLiveMember, markedProcesses } from './live-members.js';
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

  /** With its first process a sandbox ends, and the system kills the others; returns when that is done. */
  async endSandbox(): Promise<Leftovers> {
    await this.killAllMarked();
    return { leftBehind: false, detached: [] };
  }

  /** Asks all processes to end, kills those that do not within a second, and returns when they are gone. */
  async end(): Promise<void> {
    const detached = await markedProcesses(this.mark);
    for (const pid of detached) signalled(pid, 'SIGTERM');
    await this.endGroup();
    await this.killAllMarked();
  }

  /** Whether any process of it still runs, in the group or beside it. Where there is no process table, whether the group can be signalled; on Windows always. */
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

  /** Repeats until no process is left: one that is being killed may just have started another. */
  private async killAllMarked(): Promise<void> {
    const end = performance.now() + KILLED_MS;
    while (await this.killMarked()) {
      if (performance.now() > end) return;
      await delay(POLL_MS);
    }
  }

  /** @returns whether there was any to kill. */
  private async killMarked(): Promise<boolean> {
    const found = await markedProcesses(this.mark);
    return found.filter((pid) => signalled(pid, 'SIGKILL')).length > 0;
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
