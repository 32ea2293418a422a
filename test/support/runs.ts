import * as fc from 'fast-check';

/** How much of the generated cases is tried: `GNOMON_RUNS`, 1 for all of them (`npm run test:soak`), a tenth by default. */
const SHARE = Number(process.env['GNOMON_RUNS'] ?? '0.1');
/** Cases that are tried in any case. */
const FEWEST = 6;

/** Whether all generated cases are tried. */
export const ALL_RUNS = SHARE >= 1;

/** How many generated cases to try. @param all of how many */
export function runs(all: number): number {
  return Math.min(all, Math.max(FEWEST, Math.round(all * SHARE)));
}

/** The cases of a list to try: evenly spread over it, with the first and the last. */
export function sampled<T>(all: readonly T[]): readonly T[] {
  const count = runs(all.length);
  return count >= all.length ? all : Array.from({ length: count }, (_, index) => all[Math.round((index * (all.length - 1)) / (count - 1))] as T);
}

/** Every nth of a list, beginning with another one for each number; all of it where all cases are tried. */
export function everyNth<T>(all: readonly T[], n: number, number = 0): readonly T[] {
  return ALL_RUNS ? all : all.filter((_, index) => index % n === number % n);
}

/** The same, beginning with another one in each run as well: by what the file generates its cases from, which is printed when a test fails. */
export function someNth<T>(all: readonly T[], n: number, number = 0): readonly T[] {
  return everyNth(all, n, number + (fc.readConfigureGlobal().seed ?? 0));
}

/** How long lines are generated that real programs run, in seconds, and from which number: `npm run fuzz:commands` sets both. */
export const FUZZ_SECONDS = Number(process.env['GNOMON_FUZZ_SECONDS'] ?? (ALL_RUNS ? '600' : '15'));
export const FUZZ_SEED = Number(process.env['GNOMON_FUZZ_SEED'] ?? '1');
