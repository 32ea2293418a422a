import type { ParsedModule } from './parsed-module.js';
import type { Repair, RepairKind } from './repairs.js';
import { repairsIn } from './repairs.js';
import type { Suspect } from './suspects.js';
import { onLine } from './suspects.js';
import type { Failure } from './test-run.js';
import { sameFile } from './test-run.js';

/** A repair with what speaks for it. */
export interface Candidate {
  readonly module: ParsedModule;
  /** Name of the function it is in. */
  readonly within: string;
  readonly repair: Repair;
  readonly score: number;
  /** What speaks for it, in words. */
  readonly reasons: readonly string[];
}

/** A failing test with the code it reaches. */
export interface Evidence {
  readonly failure: Failure;
  readonly suspects: readonly Suspect[];
}

/** How often each kind is the mistake, as far as experience goes; a start that evidence moves. */
const PRIOR: Readonly<Record<RepairKind, number>> = {
  boundary: 3,
  off_by_one: 2.5,
  arithmetic: 2,
  logic: 2,
  inverted: 1.5,
  rounding: 1.5,
  extreme: 1.5,
  equality: 1,
  quantifier: 1.5,
  number: 0,
};
/** What a repair loses for each failing test that does not reach it: one mistake should explain them all. */
const UNREACHED = -4;

/** All repairs of all code that the failing tests reach, the best supported first, equal ones in the order of the text. */
export function rankRepairs(evidence: readonly Evidence[]): readonly Candidate[] {
  const candidates = new Map<string, Candidate>();
  for (const { failure, suspects } of evidence) {
    for (const suspect of suspects) {
      for (const repair of repairsIn(suspect.module, suspect.node)) {
        const { score, reasons } = weigh(failure, suspect, repair);
        const key = `${suspect.module.path}\n${repair.start}\n${repair.end}\n${repair.replacement}`;
        const known = candidates.get(key);
        // Each test adds to the score; the first one that leads here says why.
        const before = known ?? { module: suspect.module, within: suspect.name, repair, reasons, score: UNREACHED * evidence.length };
        candidates.set(key, { ...before, score: before.score + score - UNREACHED });
      }
    }
  }
  return [...candidates.values()].sort((a, b) => b.score - a.score);
}

interface Weight {
  readonly score: number;
  readonly reasons: readonly string[];
}

const NO_CLUE: Weight = { score: 0, reasons: [] };

function weigh(failure: Failure, suspect: Suspect, repair: Repair): Weight {
  const stack = stackClue(failure, suspect);
  const thrown = stack !== NO_CLUE || (failure.assertion && /exception|rejection/i.test(failure.message));
  const guard = repair.guard ? guardClue(thrown) : NO_CLUE;
  const clues = [distanceClue(suspect), nameClue(failure, suspect), stack, valueClue(failure, repair.kind), guard];
  return {
    score: clues.reduce((sum, clue) => sum + clue.score, PRIOR[repair.kind]),
    reasons: clues.flatMap((clue) => clue.reasons),
  };
}

function distanceClue({ name, distance }: Suspect): Weight {
  const calls = distance === 1 ? 'one step' : `${distance} steps`;
  const reason = distance === 0 ? `the failing statement uses \`${name}\`` : `\`${name}\` is ${calls} from the failing statement`;
  return { score: -1.5 * distance, reasons: [reason] };
}

/** A word of the function's name in the words of the failing test. */
function nameClue({ title, message }: Failure, { name }: Suspect): Weight {
  const said = `${title} ${message}`.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().match(/[a-z]{4,}/g) ?? [];
  const shared = words.find((word) => said.some((other) => alike(word, other)));
  return shared === undefined ? NO_CLUE : { score: 2.5, reasons: [`the failing test speaks of "${shared}"`] };
}

/** Whether two words are forms of one, such as `overlaps` and `overlap`. */
function alike(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  return long.startsWith(short) && long.length - short.length <= 3;
}

function stackClue({ places }: Failure, { module, node, name }: Suspect): Weight {
  const inside = places.some(({ file, line }) => sameFile(file, module.path) && onLine(node, line));
  return inside ? { score: 3, reasons: [`\`${name}\` is in the stack of the failure`] } : NO_CLUE;
}

/** What expected and actual value say about the kind of mistake. */
function valueClue({ expected, actual }: Failure, kind: RepairKind): Weight {
  const [wanted, got] = [Number(expected), Number(actual)];
  if (expected === undefined || actual === undefined || !Number.isFinite(wanted) || !Number.isFinite(got)) return NO_CLUE;
  if (Math.abs(wanted - got) <= 1) {
    const fits = kind === 'boundary' || kind === 'off_by_one' || kind === 'rounding';
    return fits ? { score: 1.5, reasons: [`${actual} misses ${expected} by no more than one`] } : NO_CLUE;
  }
  const fits = kind === 'arithmetic' || kind === 'extreme';
  return fits ? { score: 1.5, reasons: [`${actual} is far from ${expected}`] } : NO_CLUE;
}

/** A condition that throws is suspect when its function threw or something should have been thrown, and hardly otherwise. */
function guardClue(thrown: boolean): Weight {
  return thrown ? { score: 2, reasons: ['it decides whether to throw'] } : { score: -4, reasons: [] };
}
