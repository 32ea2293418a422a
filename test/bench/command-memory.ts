import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalProcesses, createProcesses } from '../../src/node/process/processes.js';
import type { Figure } from './figure.js';

const RUNS = 3;
/** Milliseconds between two looks at the memory. */
const INTERVAL_MS = 20;

/** How much the memory of the host grows while a command floods it with a gigabyte (tool-01): the worst of some runs. */
export async function measureCommandMemory(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'gnomon-bench-'));
  try {
    const processes = createProcesses({ logFolder: folder, env: process.env });
    // What is loaded and set up only once is not the command's.
    await run(processes, folder, 'yes | head -c 10M');
    const growths: number[] = [];
    const seconds: number[] = [];
    for (let index = 0; index < RUNS; index++) {
      const start = performance.now();
      growths.push(await growthDuring(() => run(processes, folder, 'yes | head -c 1G')));
      seconds.push((performance.now() - start) / 1_000);
    }
    const note = `worst of ${RUNS} runs, each took ${Math.max(...seconds).toFixed(1)} s at most`;
    return [{ name: 'rss_growth_mb', value: Math.max(...growths), unit: 'MB', goal: 50, note }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function run(processes: LocalProcesses, cwd: string, command: string): Promise<void> {
  const outcome = await processes.run({ command, cwd, timeoutMs: 300_000 }, new AbortController().signal, () => undefined);
  if (outcome.exitCode !== 0) throw new Error(`${command} ended with ${outcome.exitCode}: ${outcome.output.slice(-1_000)}`);
  if (outcome.logFile === undefined) throw new Error(`The output of ${command} was not long enough for a log.`);
}

async function growthDuring(work: () => Promise<void>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, INTERVAL_MS);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return (most - before) / 1_000_000;
}
