import type { DiffArrays } from './lines.js';
import { linesOf } from './lines.js';
import type { Region } from './regions.js';
import { regionsOf } from './regions.js';

/** The texts of a file that tell the agent's changes from the person's. */
export interface TextPair {
  /** Without the agent's changes that are not kept yet, with the person's. */
  readonly baseline: string;
  /** With both. */
  readonly agent: string;
}

/** A change of the agent that is neither kept nor undone. */
export interface Hunk {
  /** Its place among the hunks of its file, from 0. */
  readonly index: number;
  /** Number of its first line now, from 0; where lines were only removed, that of the line after them. */
  readonly line: number;
  /** How many lines it has now. */
  readonly count: number;
  /** The lines that it replaced. */
  readonly removed: readonly string[];
  /** Number of the first of those in the baseline, from 0. */
  readonly baselineLine: number;
  /** Whether the person has changed its lines since, so that it cannot be undone. */
  readonly edited: boolean;
}

/** A file as it stands between the agent and the person. */
export interface TextReview {
  readonly pair: TextPair;
  readonly hunks: readonly Hunk[];
  /** The present text with some hunks undone. Edited ones stay. */
  undo(chosen: (hunk: Hunk) => boolean): { readonly pair: TextPair; readonly text: string };
  /** The texts with some hunks kept. */
  keep(chosen: (hunk: Hunk) => boolean): TextPair;
}

/** Tells the changes apart: those of the person outside of the agent's become part of the baseline. */
export function reviewText(pair: TextPair, present: string, diff: DiffArrays): TextReview {
  const regions = regionsOf({ baseline: linesOf(pair.baseline), agent: linesOf(pair.agent), present: linesOf(present) }, diff);
  const hunks = hunksOf(regions);
  const has = (region: Region, chosen: (hunk: Hunk) => boolean): boolean => {
    const hunk = hunks.get(region);
    return hunk !== undefined && chosen(hunk);
  };
  const all = (pick: (region: Region) => readonly string[]): string => regions.flatMap(pick).join('');
  return {
    pair: { baseline: all(baselineOf), agent: all(leftBy) },
    hunks: [...hunks.values()],
    undo: (chosen) => {
      const undone = (region: Region): boolean => region.kind === 'hunk' && has(region, chosen);
      const agent = all((region) => (undone(region) ? region.baseline : leftBy(region)));
      return { text: all((region) => (undone(region) ? region.baseline : region.present)), pair: { baseline: all(baselineOf), agent } };
    },
    keep: (chosen) => {
      const kept = (other: (region: Region) => readonly string[]): string => all((region) => (has(region, chosen) ? region.present : other(region)));
      return { baseline: kept(baselineOf), agent: kept(leftBy) };
    },
  };
}

/** The lines of a region without the agent's changes, with the person's. */
function baselineOf({ kind, baseline, present }: Region): readonly string[] {
  return kind === 'own' ? present : baseline;
}

/** The lines of a region as the agent left them, with the person's changes elsewhere. */
function leftBy({ kind, agent, present }: Region): readonly string[] {
  return kind === 'own' ? present : agent;
}

function hunksOf(regions: readonly Region[]): ReadonlyMap<Region, Hunk> {
  const hunks = new Map<Region, Hunk>();
  let [line, baselineLine] = [0, 0];
  for (const region of regions) {
    const { kind, baseline, present } = region;
    if (kind === 'hunk' || kind === 'mixed') {
      hunks.set(region, { index: hunks.size, line, count: present.length, removed: baseline, baselineLine, edited: kind === 'mixed' });
    }
    line += present.length;
    baselineLine += kind === 'own' ? present.length : baseline.length;
  }
  return hunks;
}
