import { expect, it } from 'vitest';
import { MARK_VARIABLE, ProcessTable } from '../../../../src/node/process/process-table.js';

/** A table in which only this process has an environment, with a mark, and shows none when it is looked at first. */
class LateTable extends ProcessTable {
  private looks = 0;

  /**
   * @param memory bytes, as in proc(5)
   * @param environment the addresses where its environment begins and ends there
   * @param isShown whether it is shown later
   */
  constructor(
    private readonly memory: number,
    private readonly environment: string,
    private readonly isShown: boolean,
  ) {
    super();
  }

  protected override read(id: number, name: 'environ' | 'stat'): Promise<string | undefined> {
    if (id !== process.pid) return Promise.resolve(undefined);
    if (name === 'stat') return Promise.resolve(`${id} (a) b) R 1 ${id} ${'0 '.repeat(17)}${this.memory} ${'0 '.repeat(26)}${this.environment} 0\n`);
    this.looks += 1;
    return Promise.resolve(this.looks === 1 || !this.isShown ? '' : `A=b\0${MARK_VARIABLE}=mark\0`);
  }
}

it.runIf(process.platform === 'linux').each([
  ['is just loading its program', 4_096, '0 0', true, [process.pid]],
  ['has loaded it since', 4_096, '16 48', true, [process.pid]],
  ['was started without any environment', 4_096, '16 16', true, []],
  ['has ended, or is a part of the kernel', 0, '0 0', true, []],
  ['has taken it away, a few times', 4_096, '16 48', false, []],
  ['is never loaded, for a while', 4_096, '0 0', false, []],
])('a process that shows no mark is looked at again where one may come: one that %s', async (_what, memory, environment, isShown, found) => {
  expect(await new LateTable(memory, environment, isShown).marked('mark')).toEqual(found);
});
