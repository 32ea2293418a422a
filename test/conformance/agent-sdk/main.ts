import { type Message, type Programs, Rig } from './rig.js';
import { SCENARIOS } from './scenarios.js';

/** What became of a scenario. */
export interface Result {
  readonly name: string;
  readonly passed: boolean;
  readonly ms: number;
  readonly why?: string;
  /** The messages that came. */
  readonly recorded: readonly Message[];
}

/** Milliseconds for one scenario, on a machine with much else to do. */
const TIMEOUT_MS = 60_000;

/** Runs the scenarios. @param workers scenarios at a time @param only a part of the names; all when there is none */
export async function runAll(programs: Programs, { workers, only = '' }: { readonly workers: number; readonly only?: string }): Promise<readonly Result[]> {
  const left = Object.entries(SCENARIOS).filter(([name]) => name.includes(only));
  const results: Result[] = [];
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) results.push(await runOne(programs, ...next));
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}

async function runOne(programs: Programs, name: string, scenario: (rig: Rig) => Promise<void>): Promise<Result> {
  const start = performance.now();
  const rig = await Rig.open(programs);
  let late: NodeJS.Timeout | undefined;
  try {
    const over = new Promise((_, reject) => (late = setTimeout(() => reject(new Error(`It took longer than ${TIMEOUT_MS / 1_000} s.`)), TIMEOUT_MS)));
    await Promise.race([scenario(rig), over]);
    return { name, passed: true, ms: performance.now() - start, recorded: rig.recorded };
  } catch (error) {
    return {
      name,
      passed: false,
      ms: performance.now() - start,
      recorded: rig.recorded,
      why: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  } finally {
    clearTimeout(late);
    await rig.close();
  }
}
