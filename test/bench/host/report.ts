import { appendFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { Figure } from '../figure.js';

/** Hands a figure to the program that started the host: a line of JSON in the file that `GNOMON_BENCH_FIGURES` names. */
export function reportFigure(figure: Figure): void {
  const file = process.env['GNOMON_BENCH_FIGURES'];
  if (file === undefined) throw new Error('GNOMON_BENCH_FIGURES names no file.');
  appendFileSync(file, `${JSON.stringify(figure)}\n`);
}

/**
 * The longest turn of the event loop of the extension host while something ran, in which nothing else could be done there:
 * in milliseconds of processor time, those of the threads beside it included, as other programs take time of the clock.
 */
export async function longestBlockMs(run: () => Promise<void>): Promise<number> {
  const spent = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  };
  const probe = { longest: 0, over: false, before: spent() };
  const turn = (): void => {
    const now = spent();
    probe.longest = Math.max(probe.longest, now - probe.before);
    probe.before = now;
    if (!probe.over) setImmediate(turn);
  };
  setImmediate(turn);
  await run();
  probe.over = true;
  return probe.longest;
}

/** Milliseconds in which the extension host was at work, whatever the work was, while something ran. */
export async function busyMs(run: () => Promise<void>): Promise<number> {
  const before = performance.eventLoopUtilization();
  await run();
  return performance.eventLoopUtilization(before).active;
}
