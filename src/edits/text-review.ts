import { type ChangeAuthor, CHAT_AUTHOR } from '../domain/workspace/change-author.js';
import type { Difference, DiffArrays } from '../text/line-diff.js';
import {
  authorOf,
  endedLines,
  hasAuthor,
  keptOfAuthor,
  type Passage,
  PassageReader,
  tidied,
  untouched,
  withLineEnds,
  withoutAuthor,
  writtenLines,
} from './authored-lines.js';
import { differencesOf, linesOf } from './differing-lines.js';

/** The texts of a file that tell the agent's changes from the user's. */
export interface TextPair {
  /** Without the agent's changes that are not kept yet, with the user's. */
  readonly baseline: string;
  /** With both. */
  readonly agent: string;
  /** The lines of both with who changed them; absent where the chat itself made all changes. */
  readonly passages?: readonly Passage[];
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
  /** The agent whose change it is; absent for the chat itself. */
  readonly by?: ChangeAuthor;
}

/** A file as it stands between the agent and the user. */
export interface TextReview {
  readonly pair: TextPair;
  readonly hunks: readonly Hunk[];
  /** The present text with some hunks undone, so that what others had made of their lines is there again. Edited ones stay. */
  undo(chosen: (hunk: Hunk) => boolean): UndoneText;
  /** The present text without any changes but those that the user has edited. */
  undoAll(): UndoneText;
  /** The present text without the changes of an author, also those that others have changed since. Edited ones stay. @param id see {@link ChangeAuthor} */
  undoOf(id: string): UndoneText;
  /** The texts with some hunks kept. */
  keep(chosen: (hunk: Hunk) => boolean): TextPair;
  /** The texts with the changes of an author kept, also those that others have changed since. */
  keepOf(id: string): TextPair;
}

/** A text without some changes. */
export interface UndoneText {
  readonly pair: TextPair;
  readonly text: string;
  /** Whether changes were left because the user has edited them. */
  readonly left: boolean;
}

/** What becomes of a region. */
interface Outcome {
  readonly passages: readonly Passage[];
  readonly present: readonly string[];
}

/** Tells the changes apart: those of the user outside of the agent's become part of the baseline. */
export function reviewText(pair: TextPair, present: string, diff: DiffArrays): TextReview {
  return new ReviewedText(pair, present, diff);
}

class ReviewedText implements TextReview {
  private readonly regions: readonly Region[];
  private readonly hunksOfRegions: ReadonlyMap<Region, Hunk>;
  /** Whether it is known who made which change. */
  private readonly hasAuthors: boolean;

  constructor(
    { baseline, agent, passages }: TextPair,
    present: string,
    private readonly diff: DiffArrays,
  ) {
    this.hasAuthors = passages !== undefined;
    this.regions = regionsOf({ baseline: linesOf(baseline), agent: linesOf(agent), present: linesOf(present) }, passages, diff);
    this.hunksOfRegions = hunksOf(this.regions);
  }

  get pair(): TextPair {
    return this.kept(asItIs);
  }

  get hunks(): readonly Hunk[] {
    return [...this.hunksOfRegions.values()];
  }

  undo(chosen: (hunk: Hunk) => boolean): UndoneText {
    return this.without((region) => {
      const hunk = this.hunksOfRegions.get(region);
      return hunk !== undefined && chosen(hunk) ? withoutAuthor(region.passages, (hunk.by ?? CHAT_AUTHOR).id) : undefined;
    });
  }

  undoAll(): UndoneText {
    return this.without(({ baseline }) => [untouched(baseline)]);
  }

  undoOf(id: string): UndoneText {
    return this.without((region) => (hasPart(region, id) ? withoutAuthor(region.passages, id) : undefined));
  }

  keep(chosen: (hunk: Hunk) => boolean): TextPair {
    return this.kept((region) => {
      const hunk = this.hunksOfRegions.get(region);
      return hunk !== undefined && chosen(hunk) ? allKept(region) : asItIs(region);
    });
  }

  keepOf(id: string): TextPair {
    return this.kept((region) => {
      if (!hasPart(region, id)) return asItIs(region);
      const isTheirs = region.passages.every(({ versions }) => versions.every(({ by }) => by.id === id));
      return isTheirs ? allKept(region) : { ...region, passages: keptOfAuthor(region.passages, id) };
    });
  }

  private kept(outcomeOf: (region: Region) => Outcome): TextPair {
    return this.pairOf(this.regions.flatMap((region) => outcomeOf(region).passages));
  }

  /** @param wanted what becomes of a change that can be undone; `undefined` where it stays */
  private without(wanted: (region: Region) => readonly Passage[] | undefined): UndoneText {
    const outcomes = this.regions.map((region): Outcome => {
      const passages = region.kind === 'hunk' ? wanted(region) : undefined;
      return passages === undefined ? asItIs(region) : { passages, present: passages.flatMap(writtenLines) };
    });
    const left = this.regions.some((region) => region.kind === 'mixed' && wanted(region) !== undefined);
    const passages = outcomes.flatMap((outcome) => outcome.passages);
    const text = endedLines(outcomes.flatMap((outcome) => outcome.present)).join('');
    return { text, pair: this.pairOf(passages), left };
  }

  private pairOf(passages: readonly Passage[]): TextPair {
    const ended = withLineEnds(passages);
    const known = this.hasAuthors ? tidied(ended, this.diff) : ended;
    const texts = { baseline: known.flatMap(({ before }) => before).join(''), agent: known.flatMap(writtenLines).join('') };
    return this.hasAuthors ? { ...texts, passages: known } : texts;
  }
}

function hasPart({ passages }: Region, id: string): boolean {
  return passages.some((passage) => hasAuthor(passage, id));
}

/** The user's changes elsewhere are a part of both texts. */
function asItIs(region: Region): Outcome {
  return region.kind === 'own' ? allKept(region) : region;
}

function allKept({ present }: Region): Outcome {
  return { passages: [untouched(present)], present };
}

function hunksOf(regions: readonly Region[]): ReadonlyMap<Region, Hunk> {
  const hunks = new Map<Region, Hunk>();
  let [line, baselineLine] = [0, 0];
  for (const region of regions) {
    const { kind, baseline, present, passages } = region;
    if (kind === 'hunk' || kind === 'mixed') {
      const by = passages.findLast(({ versions }) => versions.length > 0)?.versions.at(-1)?.by;
      const place = { index: hunks.size, line, count: present.length, removed: baseline, baselineLine, edited: kind === 'mixed' };
      hunks.set(region, by === undefined || by.id === CHAT_AUTHOR.id ? place : { ...place, by });
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
  /** The first two with who changed them. */
  readonly passages: readonly Passage[];
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
function regionsOf(texts: ThreeTexts, passages: readonly Passage[] | undefined, diff: DiffArrays): readonly Region[] {
  const { baseline, agent, present } = texts;
  const changes = passages === undefined ? differencesOf(agent, baseline, diff) : changesIn(passages);
  const sided = (side: Sided['side'], stretches: readonly Difference[]): readonly Sided[] => stretches.map((stretch) => ({ ...stretch, side }));
  const all = [...sided('baseline', changes), ...sided('present', differencesOf(agent, present, diff))].sort(inOrder);
  return new RegionCutter(texts, passages).cut(groupsOf(all));
}

/** Where passages were changed, each as far as one author has done so, seen from what is there now. */
function changesIn(passages: readonly Passage[]): readonly Difference[] {
  const changes: Difference[] = [];
  let [at, before, author]: [number, number, string | undefined] = [0, 0, undefined];
  for (const passage of passages) {
    const [end, newEnd, id] = [at + writtenLines(passage).length, before + passage.before.length, authorOf(passage)?.id];
    const last = changes.at(-1);
    if (id !== undefined && id === author && last !== undefined) changes[changes.length - 1] = { ...last, end, newEnd };
    else if (id !== undefined) changes.push({ start: at, end, newStart: before, newEnd });
    [at, before, author] = [end, newEnd, id];
  }
  return changes;
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
  private readonly reader: PassageReader | undefined;

  constructor(
    private readonly texts: ThreeTexts,
    passages: readonly Passage[] | undefined,
  ) {
    this.reader = passages && new PassageReader(passages);
  }

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
    const lines = { baseline: slice('baseline'), agent: slice('agent'), present: slice('present') };
    const isChanged = kind === 'hunk' || kind === 'mixed';
    const byChat: Passage = { before: lines.baseline, versions: isChanged ? [{ by: CHAT_AUTHOR, lines: lines.agent }] : [] };
    const region = { kind, ...lines, passages: this.reader?.read(counts.agent, counts.baseline) ?? [byChat] };
    // The user took the agent's change back by hand.
    const undone = kind === 'mixed' && region.baseline.join('') === region.present.join('');
    this.regions.push(undone ? { ...region, kind: 'own' } : region);
  }
}

/** Number of lines that a side has more than the agent's version. */
function growth(group: readonly Sided[], side: Sided['side']): number {
  return group.filter((stretch) => stretch.side === side).reduce((sum, { start, end, newStart, newEnd }) => sum + newEnd - newStart - (end - start), 0);
}
