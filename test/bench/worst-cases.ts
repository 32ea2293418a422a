import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure } from './figure.js';
import { processorMs } from './processor-time.js';
import { CONVERSATION_CASES } from './worst-cases/conversations.js';
import { FILE_CASES } from './worst-cases/files.js';
import { PERMISSION_CASES } from './worst-cases/permissions.js';
import { TEXT_CASES } from './worst-cases/texts.js';
import type { WorstCase } from './worst-cases/worst-case.js';

/** How often each is done: the first time the engine only gets to know the code. */
const RUNS = 3;

/**
 * What the worst inputs cost the host, in processor time: that the answers to them are right is for the unit tests, which do
 * not look at a clock.
 */
export async function measureWorstCases(): Promise<readonly Figure[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'gnomon-bench-')));
  try {
    const figures: Figure[] = [];
    for (const each of [...TEXT_CASES, ...PERMISSION_CASES, ...FILE_CASES, ...CONVERSATION_CASES]) figures.push(await figureOf(each, folder));
    return figures;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The input that costs most; of each the least of some runs, since what else the process does makes runs dearer and none cheaper. */
async function figureOf({ name, goal, prepare }: WorstCase, folder: string): Promise<Figure> {
  const costs: [input: string, ms: number][] = [];
  for (const [input, work] of Object.entries(await prepare(folder))) {
    let least = Number.POSITIVE_INFINITY;
    for (let run = 0; run < RUNS; run += 1) least = Math.min(least, await cost(work));
    costs.push([input, least]);
  }
  const [input, value] = costs.reduce((a, b) => (b[1] > a[1] ? b : a));
  const note = `processor time, least of ${RUNS} runs${costs.length === 1 ? '' : `; worst of ${costs.length}: ${input}`}`;
  return { name, value, unit: 'ms', goal, note };
}

async function cost(work: () => unknown): Promise<number> {
  const start = processorMs();
  await work();
  return processorMs() - start;
}
