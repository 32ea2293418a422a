import { appendFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { Figure } from '../figure.js';

/** Hands a figure to the program that started the host: a line of JSON in the file that `GNOMON_BENCH_FIGURES` names. */
export function reportFigure(figure: Figure): void {
  const file = process.env['GNOMON_BENCH_FIGURES'];
  if (file === undefined) throw new Error('GNOMON_BENCH_FIGURES names no file.');
  appendFileSync(file, `${JSON.stringify(figure)}\n`);
}

/** Milliseconds in which the extension host was at work, whatever the work was, while something ran. */
export async function busyMs(run: () => Promise<void>): Promise<number> {
  const before = performance.eventLoopUtilization();
  await run();
  return performance.eventLoopUtilization(before).active;
}
