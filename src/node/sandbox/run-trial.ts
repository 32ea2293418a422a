import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { errorMessage } from '../../domain/errors.js';
import { HostWatch, ProcessGroup } from '../process/process-group.js';
import { MARK_VARIABLE } from '../process/process-table.js';
import { started } from '../process/start-command.js';

/** How long a trial may take, in milliseconds. */
const TRIAL_MS = 10_000;
/** How long output is waited for that is held open by what cannot be killed. */
const LAST_OUTPUT_MS = 1_000;

/** How a trial ended. */
export interface TrialEnd {
  /** `undefined` when it was killed, as after its time, or could not be started. */
  readonly exitCode: number | undefined;
  /** What it wrote to standard error, without spaces around it, or why it could not be started. */
  readonly stderr: string;
}

/**
 * Runs what tries out a sandbox. Nothing of it is left, however it ends, or this process does: what makes a sandbox can outlive its first process, as
 * {@link ProcessGroup.endSandbox} says.
 */
export async function runTrial(program: string, args: readonly string[], env: Readonly<Record<string, string | undefined>>): Promise<TrialEnd> {
  const mark = randomUUID();
  const watch = new HostWatch(mark);
  try {
    const child = spawn(program, [...args], {
      env: { ...env, [MARK_VARIABLE]: mark },
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: TRIAL_MS,
      killSignal: 'SIGKILL',
    });
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const closed = new Promise((resolve) => child.once('close', resolve));
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
    const pid = await started(child);
    watch.follow(pid);
    const group = new ProcessGroup(pid, mark);
    const exitCode = (await exited) ?? undefined;
    await group.endSandbox();
    group.release();
    await Promise.race([closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
    child.stderr.destroy();
    return { exitCode, stderr: stderr.trim() };
  } catch (error) {
    return { exitCode: undefined, stderr: errorMessage(error) };
  } finally {
    watch.end();
  }
}

/**
 * What was found out about programs by trying them, for all sandboxes of this process: as an editor does that works with several sessions, it can make many,
 * and each trial starts a dozen processes. A program that was replaced is tried anew, as is one with which a trial failed.
 */
export class TriedPrograms<T> {
  private readonly found = new Map<string, { readonly value: T }>();

  /** @param program its absolute path @param find tries it out. What it throws is not kept. */
  async of(program: string, find: () => Promise<T>): Promise<T> {
    const { dev, ino, size, ctimeMs } = await stat(program);
    const version = JSON.stringify([program, dev, ino, size, ctimeMs]);
    const known = this.found.get(version) ?? { value: await find() };
    this.found.set(version, known);
    return known.value;
  }
}
