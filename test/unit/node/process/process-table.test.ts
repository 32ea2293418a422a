import { expect, it } from 'vitest';
import { MARK_VARIABLE, ProcessTable } from '../../../../src/node/process/process-table.js';

/** A table in which only this process has an environment, with a mark, and shows none when it is looked at first. */
class LateTable extends ProcessTable {
  private looks = 0;

  /** @param memory bytes, as in proc(5) @param environment the addresses where its environment begins and ends there */
  constructor(
    private readonly memory: number,
    private readonly environment: string,
  ) {
    super();
  }

  protected override read(id: number, name: 'environ' | 'stat'): Promise<string | undefined> {
    if (id !== process.pid) return Promise.resolve(undefined);
    if (name === 'stat') return Promise.resolve(`${id} (a) b) R 1 ${id} ${'0 '.repeat(17)}${this.memory} ${'0 '.repeat(26)}${this.environment} 0\n`);
    this.looks += 1;
    return Promise.resolve(this.looks === 1 ? '' : `A=b\0${MARK_VARIABLE}=mark\0`);
  }
}

it.runIf(process.platform === 'linux').each([
  ['is just loading its program', 4_096, '0 0', [process.pid]],
  ['has loaded it since', 4_096, '16 48', [process.pid]],
  ['was started without any environment', 4_096, '16 16', []],
  ['has ended, or is a part of the kernel', 0, '0 0', []],
])('a process that shows no mark is looked at again where one may come: one that %s', async (_what, memory, environment, found) => {
  expect(await new LateTable(memory, environment).marked('mark')).toEqual(found);
});
