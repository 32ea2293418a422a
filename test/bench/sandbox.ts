import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Confinement } from '../../src/domain/workspace/sandbox.js';
import { createProcesses } from '../../src/node/process/processes.js';
import { createSandbox } from '../../src/node/sandbox/sandbox.js';
import { isSecret } from '../../src/permission/files/sensitive-paths.js';
import { type Figure, medianFigure } from './figure.js';

const ROUNDS = 50;

/** What the sandbox adds to a command that runs in this repository, by turns with the same command outside of it. */
export async function measureSandbox(): Promise<readonly Figure[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gnomon-bench-')));
  const cwd = process.cwd();
  const rules = { key: '', mayRead: (path: string) => !isSecret(path) };
  const sandbox = createSandbox({ folders: () => [cwd], readable: [], rules: () => Promise.resolve(rules), storage: folder, home: folder, env: process.env });
  const processes = createProcesses({ logFolder: folder, env: process.env, sandbox });
  try {
    const state = await sandbox.state();
    if (!state.available) throw new Error(state.reason);
    const time = async (confined?: Confinement): Promise<number> => {
      const start = performance.now();
      const { exitCode } = await processes.run(
        { command: 'git rev-parse HEAD', cwd, timeoutMs: 10_000, ...(confined === undefined ? {} : { confined }) },
        new AbortController().signal,
        () => undefined,
      );
      if (exitCode !== 0) throw new Error('The command failed.');
      return performance.now() - start;
    };
    const searching = performance.now();
    await time({ readable: [] });
    const first = performance.now() - searching;
    const added: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const bare = await time();
      added.push((await time({ readable: [] })) - bare);
    }
    const figure = medianFigure('sandbox_added_ms', added, { unit: 'ms', goal: 25 });
    return [{ ...figure, note: `${figure.note ?? ''}; the first command, which looks for files to hide, took ${Math.round(first)} ms` }];
  } finally {
    await rm(folder, { recursive: true });
  }
}
