import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ProcessGroup } from '../../../../src/node/process/process-group.js';
import { MARK_VARIABLE, ProcessTable, type RunningProcess } from '../../../../src/node/process/process-table.js';
import { started } from '../../../../src/node/process/start-command.js';
import { running } from '../../../support/running-processes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Longer than anything is waited for to which nothing happens. */
const LONG_MS = 600;
/** From here on there is no process with the id, and so none that a signal could end. Source: proc(5), `/proc/sys/kernel/pid_max` */
const NO_PROCESS = 4_194_305;

/** A table of processes that end once they have been looked at often enough. */
class SlowTable extends ProcessTable {
  looks = 0;

  /** @param lasts how many looks they are left for */
  constructor(
    public left: readonly RunningProcess[],
    private readonly lasts: number,
  ) {
    super();
  }

  override marked(): Promise<readonly number[]> {
    this.looks += 1;
    if (this.looks > this.lasts) this.left = [];
    return Promise.resolve(this.left.map(({ id }) => id));
  }

  override running(ids: readonly number[]): Promise<readonly RunningProcess[]> {
    return Promise.resolve(this.left.filter(({ id }) => ids.includes(id)));
  }

  override membersOf(): Promise<readonly RunningProcess[]> {
    return Promise.resolve([]);
  }
}

/**
 * Waits for processes that were killed, on a machine that does so much else that each look comes long after the one before.
 * @param lasts how many looks they are left for
 * @param kill stands in for the signals
 */
async function untilEnded(left: readonly RunningProcess[], lasts: number, kill: () => true = () => true): Promise<SlowTable> {
  const now = performance.now.bind(performance);
  let late = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now() + (late += LONG_MS));
  vi.spyOn(process, 'kill').mockImplementation(kill);
  onTestFinished(() => void vi.restoreAllMocks());
  const table = new SlowTable(left, lasts);
  const group = new ProcessGroup(NO_PROCESS, 'mark', table);
  await group.endSandbox();
  group.release();
  return table;
}

describe('what was killed', () => {
  it('is waited for as long as it only has to get its turn', async () => {
    expect((await untilEnded([{ id: NO_PROCESS, isReady: true }], 6)).left).toEqual([]);
  });

  it('is given up on when it waits for something that may never come', async () => {
    expect((await untilEnded([{ id: NO_PROCESS, isReady: false }], 6)).looks).toBeLessThan(6);
  });

  it('is given up on when another user runs it', async () => {
    const refused = (): true => {
      throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
    };
    expect((await untilEnded([{ id: NO_PROCESS, isReady: true }], 6, refused)).looks).toBeLessThan(6);
  });

  it('is given up on when it never ends', async () => {
    expect((await untilEnded([{ id: NO_PROCESS, isReady: true }], 100)).left).not.toEqual([]);
  });
});

it.runIf(process.platform === 'linux')('the end of a sandbox finds a process without a mark by its group', async () => {
  const mark = join(temporaryFolder(), 'mark');
  const script = 'env -i sleep 75 >/dev/null & echo $!';
  const shell = spawn('/bin/sh', ['-c', script], { detached: true, env: { ...process.env, [MARK_VARIABLE]: mark }, stdio: ['ignore', 'pipe', 'ignore'] });
  const leader = await started(shell);
  const [[output]] = await Promise.all([once(shell.stdout, 'data') as Promise<[Buffer]>, once(shell, 'exit')]);
  const pid = Number(output.toString());
  await expect.poll(() => readFileSync(`/proc/${pid}/cmdline`, 'latin1')).toMatch(/^sleep/);
  const group = new ProcessGroup(leader, mark);
  await group.endSandbox();
  group.release();
  expect(running([pid])).toEqual([]);
});
