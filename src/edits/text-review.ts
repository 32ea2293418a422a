import { type Difference, type DiffArrays, shortestDifferences, trimmed } from '../text/line-diff.js';

/** The texts of a file that tell the agent's changes from the user's. */
export interface TextPair {
  /** Without the agent's changes that are not kept yet, with the user's. */
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
  /** Current number of lines. */
  readonly count: number;
  /** The lines that it replaced. */
  readonly removed: readonly string[];
  /** Number of the first of those in the baseline, from 0. */
  readonly baselineLine: number;
  /** Whether the user has changed its lines since, so that it cannot be undone. */
  readonly edited: boolean;
}

/** A file as it stands between the agent and the user. */
export interface TextReview {
  readonly pair: TextPair;
  readonly hunks: readonly Hunk[];
  /** The present text with some hunks undone. Edited ones stay. */
  undo(chosen: (hunk: Hunk) => boolean): { readonly pair: TextPair; readonly text: string };
  /** The texts with some hunks kept. */
  keep(chosen: (hunk: Hunk) => boolean): TextPair;
}

/** Tells the changes apart: those of the user outside of the agent's become part of the baseline. */
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

/** The lines of a region without the agent's changes, with the user's. */
function baselineOf({ kind, baseline, present }: Region): readonly string[] {
  return kind === 'own' ? present : baseline;
}

/** The lines of a region as the agent left them, with the user's changes elsewhere. */
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

/** Lines of three versions of a file at the same place. */
interface Region {
  /**
   * `same` in all three; `hunk` a change of the agent, still as it was left; `own` a change of the user elsewhere;
   * `mixed` a change of the agent that the user has changed since.
   */
  readonly kind: 'same' | 'hunk' | 'own' | 'mixed';
  /** As they were before the agent. */
  readonly baseline: readonly string[];
  /** As the agent left them. */
  readonly agent: readonly string[];
  /** As they are now. */
  readonly present: readonly string[];
}

/** Three versions of a file. */
interface ThreeTexts {
  readonly baseline: readonly string[];
  readonly agent: readonly string[];
  readonly present: readonly string[];
}

/** A stretch seen from the agent's version, and on which side the other lines are. */
interface Sided extends Difference {
  readonly side: 'baseline' | 'present';
}

/** Cuts a file into the agent's changes, the user's, and what both touched. Joined, the regions are the three versions. */
function regionsOf(texts: ThreeTexts, diff: DiffArrays): readonly Region[] {
  const { baseline, agent, present } = texts;
  const sided = (side: Sided['side'], other: readonly string[]): readonly Sided[] => differencesOf(agent, other, diff).map((stretch) => ({ ...stretch, side }));
  const all = [...sided('baseline', baseline), ...sided('present', present)].sort(inOrder);
  return new RegionCutter(texts).cut(groupsOf(all));
}

/** By place; what lies between two lines comes before what covers lines, and lines that were removed before added ones. */
function inOrder(a: Sided, b: Sided): number {
  return a.start - b.start || a.end - b.end || (a.side === b.side ? 0 : a.side === 'baseline' ? -1 : 1);
}

/** Stretches that overlap come together; those that only touch do not. */
function groupsOf(stretches: readonly Sided[]): readonly (readonly Sided[])[] {
  const groups: Sided[][] = [];
  let end = -1;
  for (const stretch of stretches) {
    if (stretch.start < end) groups.at(-1)?.push(stretch);
    else groups.push([stretch]);
    end = Math.max(end, stretch.end);
  }
  return groups;
}

class RegionCutter {
  private readonly regions: Region[] = [];
  private readonly at = { baseline: 0, agent: 0, present: 0 };

  constructor(private readonly texts: ThreeTexts) {}

  cut(groups: readonly (readonly Sided[])[]): readonly Region[] {
    for (const group of groups) {
      this.skipTo(Math.min(...group.map(({ start }) => start)));
      const sides = new Set(group.map(({ side }) => side));
      const kind = sides.size === 2 ? 'mixed' : sides.has('baseline') ? 'hunk' : 'own';
      const length = Math.max(...group.map(({ end }) => end)) - this.at.agent;
      this.take(kind, { agent: length, baseline: length + growth(group, 'baseline'), present: length + growth(group, 'present') });
    }
    this.skipTo(this.texts.agent.length);
    return this.regions;
  }

  private skipTo(line: number): void {
    const count = line - this.at.agent;
    if (count > 0) this.take('same', { baseline: count, agent: count, present: count });
  }

  private take(kind: Region['kind'], counts: Readonly<Record<keyof ThreeTexts, number>>): void {
    const slice = (version: keyof ThreeTexts): readonly string[] => {
      const from = this.at[version];
      this.at[version] = from + counts[version];
      return this.texts[version].slice(from, this.at[version]);
    };
    const region = { kind, baseline: slice('baseline'), agent: slice('agent'), present: slice('present') };
    // The user took the agent's change back by hand.
    const undone = kind === 'mixed' && region.baseline.join('') === region.present.join('');
    this.regions.push(undone ? { ...region, kind: 'own' } : region);
  }
}

/** Number of lines that a side has more than the agent's version. */
function growth(group: readonly Sided[], side: Sided['side']): number {
  return group.filter((stretch) => stretch.side === side).reduce((sum, { start, end, newStart, newEnd }) => sum + newEnd - newStart - (end - start), 0);
}

/** Added and removed lines at which the search for the shortest diff stops; all between is one change then. */
const MAX_EDITS = 600;

/** The lines of a text, each with its ending. An empty text has none. */
export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** Where two lists of lines differ, in rising order and apart from each other. */
function differencesOf(old: readonly string[], fresh: readonly string[], diff: DiffArrays): readonly Difference[] {
  const whole = trimmed(old, fresh, { start: 0, end: old.length, newStart: 0, newEnd: fresh.length });
  const [removes, adds] = [whole.start < whole.end, whole.newStart < whole.newEnd];
  if (!removes && !adds) return [];
  return (removes && adds ? shortestDifferences(old, fresh, whole, diff, MAX_EDITS) : undefined) ?? [whole];
}
