import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode } from './error-code.js';
import { hasLiveMember } from './live-members.js';

/** How long a group may take to end after it was asked, before it is killed, in milliseconds. */
const GRACE_MS = 1_000;
/** How long a killed group is waited for. */
const KILLED_MS = 500;
const POLL_MS = 5;
const MAX_POLL_MS = 50;

/** Groups that are running; killed when this process exits. */
const running = new Set<ProcessGroup>();

/**
 * The processes of one command. On POSIX systems the group that its shell leads; on Windows the tree below it.
 * A process that makes a session of its own (`setsid`) leaves the group and is not found any more.
 */
export class ProcessGroup {
  /** @param leader process id of the shell, started as the leader of a new group. */
  constructor(private readonly leader: number) {
    if (running.size === 0) process.on('exit', killRunning);
    running.add(this);
  }

  /** Asks all processes to end, kills those that do not within a second, and returns when they are gone. */
  async end(): Promise<void> {
    if (process.platform === 'win32') await killTree(this.leader);
    else if (this.signal('SIGTERM') && !(await this.goneWithin(GRACE_MS))) {
      this.signal('SIGKILL');
      await this.goneWithin(KILLED_MS);
    }
  }

  /** Forgets the group: it has ended. */
  release(): void {
    running.delete(this);
    if (running.size === 0) process.off('exit', killRunning);
  }

  /** Kills all processes without waiting. */
  kill(): void {
    if (process.platform === 'win32') spawn('taskkill', ['/PID', String(this.leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
    else this.signal('SIGKILL');
  }

  /** @returns whether there was any process left to signal. */
  private signal(signal: NodeJS.Signals | 0): boolean {
    try {
      process.kill(-this.leader, signal);
      return true;
    } catch (error) {
      // EPERM: there is one, of another user (sudo), which cannot be ended from here.
      if (errorCode(error) === 'ESRCH') return false;
      if (errorCode(error) === 'EPERM') return true;
      throw error;
    }
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

/** Kills every command that is running, at once; for the end of the host. */
export function killRunning(): void {
  for (const group of running) group.kill();
}

async function killTree(leader: number): Promise<void> {
  const killer = spawn('taskkill', ['/PID', String(leader), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
  await new Promise((resolve) => {
    killer.once('close', resolve);
    killer.once('error', resolve);
  });
}
