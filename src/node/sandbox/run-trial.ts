import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
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
