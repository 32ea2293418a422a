import { type ChangeAuthor, CHAT_AUTHOR } from '../domain/workspace/change-author.js';
import type { Difference, DiffArrays } from '../text/line-diff.js';
import { differencesOf, linesOf } from './differing-lines.js';

/** Lines that one author wrote. */
interface WrittenLines {
  readonly by: ChangeAuthor;
  readonly lines: readonly string[];
}

/** Lines of a file with all that was made of them and is neither kept nor undone. */
export interface Passage {
  /** Without any of these changes. */
  readonly before: readonly string[];
  /** Each made from the one before it, by another author; the last one is in the file. Empty where nothing was changed. */
  readonly versions: readonly WrittenLines[];
}

/** The lines of a passage as agents left them. */
export function writtenLines({ before, versions }: Passage): readonly string[] {
  return versions.at(-1)?.lines ?? before;
}

/** Who has made what is there of a passage now; `undefined` where nothing was changed. */
export function authorOf({ versions }: Passage): ChangeAuthor | undefined {
  return versions.at(-1)?.by;
}

/** A passage in which nothing was changed. */
export function untouched(lines: readonly string[]): Passage {
  return { before: lines, versions: [] };
}

/** Takes what an author made of a file: lines that others had changed before are theirs no longer, but come back when that is undone. */
export function written(passages: readonly Passage[], text: readonly string[], by: ChangeAuthor, diff: DiffArrays): readonly Passage[] {
  return replaced(passages, text, () => by, diff);
}

/** Takes an earlier state of a file: its lines are of whoever has changed the ones that they take the place of, and else of the chat. */
export function restored(passages: readonly Passage[], text: readonly string[], diff: DiffArrays): readonly Passage[] {
  return replaced(passages, text, (passage) => (passage && authorOf(passage)) ?? CHAT_AUTHOR, diff);
}

/** Who writes what takes the place of a passage; of none where lines are only added. */
type Writer = (passage?: Passage) => ChangeAuthor;

function replaced(passages: readonly Passage[], text: readonly string[], writer: Writer, diff: DiffArrays): readonly Passage[] {
  const reader = new PassageReader(passages);
  const all: Passage[] = [];
  let at = 0;
  for (const { start, end, newStart, newEnd } of changesBetween(passages.flatMap(writtenLines), text, diff)) {
    all.push(...reader.skip(start - at), ...overwritten(reader.take(end - start), text.slice(newStart, newEnd), writer));
    at = end;
  }
  return tidied(withLines([...all, ...reader.rest()], text, writer()), diff);
}

/** Where two lists of lines differ. That the last line gets an end, as others follow it, or loses it, makes no other line of it. */
function changesBetween(old: readonly string[], fresh: readonly string[], diff: DiffArrays): readonly Difference[] {
  return differencesOf(comparable(old, fresh), comparable(fresh, old), diff);
}

function comparable(lines: readonly string[], others: readonly string[]): readonly string[] {
  const last = lines.at(-1);
  if (last === undefined || last.endsWith('\n')) return lines;
  return [...lines.slice(0, -1), `${last}${others.includes(`${last}\r\n`) ? '\r\n' : '\n'}`];
}

/** Passages with the lines of a text, from which they differ in ends of lines only: those of a change stay its author's. */
function withLines(passages: readonly Passage[], text: readonly string[], by: ChangeAuthor): readonly Passage[] {
  let at = 0;
  return passages.map((passage) => {
    const count = writtenLines(passage).length;
    const lines = text.slice(at, (at += count));
    return isSame(lines, writtenLines(passage)) ? passage : withTop(passage, lines, by);
  });
}

/** A passage that has lines which differ in ends only. @param by whose that is where nothing of it was changed before */
function withTop(passage: Passage, lines: readonly string[], by: ChangeAuthor): Passage {
  return { before: passage.before, versions: [...passage.versions.slice(0, -1), { by: authorOf(passage) ?? by, lines }] };
}

/** The passages without what an author changed; what others made of it stays. */
export function withoutAuthor(passages: readonly Passage[], id: string): readonly Passage[] {
  return passages.map(({ before, versions }) => ({ before, versions: versions.filter(({ by }) => by.id !== id) }));
}

/**
 * The passages with an end for each line that others follow, both as it was before and as it is now: a file need not end its last line, and lines after
 * it can come to stay before it is as it was.
 */
export function withLineEnds(passages: readonly Passage[]): readonly Passage[] {
  const style = endOf(passages.flatMap(writtenLines)[0]) ?? endOf(passages.flatMap(({ before }) => before)[0]);
  const all: Passage[] = [];
  let next: Following | undefined;
  let nextBefore: Following | undefined;
  for (const passage of [...passages].reverse()) {
    const now = writtenLines(passage);
    const before = endedLines(passage.before, nextBefore?.line, style);
    const lines = endedLines(now, next?.line, style);
    const by = (isSame(lines, now) ? nextBefore : next)?.by ?? CHAT_AUTHOR;
    const isUntouched = passage.versions.length === 0 && isSame(before, lines);
    all.push(isUntouched ? untouched(before) : withTop({ ...passage, before }, lines, by));
    next = followingOf(passage, lines) ?? next;
    nextBefore = followingOf(passage, before) ?? nextBefore;
  }
  return all.reverse();
}

/** A line that follows others, and who changed it. */
interface Following {
  readonly line: string;
  readonly by: ChangeAuthor | undefined;
}

function followingOf(passage: Passage, [line]: readonly string[]): Following | undefined {
  return line === undefined ? undefined : { line, by: authorOf(passage) };
}

/**
 * Lines with an end for each that others follow, as those have it.
 * @param next the line that follows the last one
 * @param style the end where the following line has none
 */
export function endedLines(lines: readonly string[], next?: string, style = endOf(lines[0])): readonly string[] {
  if (lines.every((line) => line.endsWith('\n'))) return lines;
  return lines.map((line, index) => {
    const following = lines[index + 1] ?? next;
    return following === undefined || line.endsWith('\n') ? line : `${line}${endOf(following) ?? style ?? '\n'}`;
  });
}

function endOf(line: string | undefined): string | undefined {
  if (line?.endsWith('\n') !== true) return undefined;
  return line.endsWith('\r\n') ? '\r\n' : '\n';
}

/** The passages with what an author changed as if it had always been so; what others made of it can still be kept or undone. */
export function keptOfAuthor(passages: readonly Passage[], id: string): readonly Passage[] {
  return passages.map((passage) => {
    const last = passage.versions.findLastIndex(({ by }) => by.id === id);
    const kept = passage.versions[last];
    return kept === undefined ? passage : { before: kept.lines, versions: passage.versions.slice(last + 1) };
  });
}

/** Whether an author has a part in a passage. */
export function hasAuthor({ versions }: Passage, id: string): boolean {
  return versions.some(({ by }) => by.id === id);
}

/** Distributes new lines over the passages that they replace, so that each of these can be undone where it is. */
function overwritten(passages: readonly Passage[], lines: readonly string[], writer: Writer): readonly Passage[] {
  if (passages.length === 0) return [{ before: [], versions: [{ by: writer(), lines }] }];
  let at = 0;
  return passages.map((passage, index) => {
    const { before, versions } = passage;
    const by = writer(passage);
    const end = index === passages.length - 1 ? lines.length : Math.min(lines.length, at + writtenLines(passage).length);
    const own: WrittenLines = { by, lines: lines.slice(at, end) };
    at = end;
    return { before, versions: [...(versions.at(-1)?.by.id === by.id ? versions.slice(0, -1) : versions), own] };
  });
}

/** The same changes in as few and as short passages as possible. */
export function tidied(passages: readonly Passage[], diff: DiffArrays): readonly Passage[] {
  const joined: Passage[] = [];
  for (const passage of passages.map(withoutDetours)) {
    const last = joined.at(-1);
    if (last !== undefined && canJoin(last, passage)) joined[joined.length - 1] = join(last, passage);
    else if (passage.before.length > 0 || passage.versions.length > 0) joined.push(passage);
  }
  return joined.flatMap((passage) => refined(passage, diff));
}

/** Without versions that were taken back, and those that the same author has replaced. */
function withoutDetours({ before, versions }: Passage): Passage {
  const left: WrittenLines[] = [];
  for (const version of versions) {
    if (left.at(-1)?.by.id === version.by.id) left.pop();
    const same = [before, ...left.map(({ lines }) => lines)].findIndex((lines) => isSame(lines, version.lines));
    if (same === -1) left.push(version);
    else left.splice(same);
  }
  return { before, versions: left };
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

function canJoin(one: Passage, other: Passage): boolean {
  return one.versions.length === other.versions.length && one.versions.length <= 1 && authorOf(one)?.id === authorOf(other)?.id;
}

function join(one: Passage, other: Passage): Passage {
  const by = authorOf(one);
  const before = [...one.before, ...other.before];
  return { before, versions: by === undefined ? [] : [{ by, lines: [...writtenLines(one), ...writtenLines(other)] }] };
}

/** A change of one author as what really differs. */
function refined(passage: Passage, diff: DiffArrays): readonly Passage[] {
  const { before, versions } = passage;
  const [version, ...more] = versions;
  if (version === undefined || more.length > 0) return [passage];
  const { by, lines } = version;
  const parts: Passage[] = [];
  let at = 0;
  const keep = (end: number, newEnd: number): void => {
    const [old, now] = [before.slice(at, end), lines.slice(newEnd - (end - at), newEnd)];
    // The last one can differ in its end.
    const same = old.at(-1) === now.at(-1) ? old.length : old.length - 1;
    if (same > 0) parts.push(untouched(old.slice(0, same)));
    if (same < old.length) parts.push({ before: old.slice(same), versions: [{ by, lines: now.slice(same) }] });
  };
  for (const { start, end, newStart, newEnd } of changesBetween(before, lines, diff)) {
    keep(start, newStart);
    parts.push({ before: before.slice(start, end), versions: [{ by, lines: lines.slice(newStart, newEnd) }] });
    at = end;
  }
  keep(before.length, lines.length);
  return parts;
}

/** Goes through passages from the first on, and cuts them where it stops within one. */
export class PassageReader {
  private readonly left: Passage[];

  constructor(passages: readonly Passage[]) {
    this.left = [...passages].reverse();
  }

  /** The passages of the next lines. Removed lines behind them are left. */
  take(lines: number): readonly Passage[] {
    return this.read(lines, 0);
  }

  /** The passages of the next lines, with lines that were removed behind them. */
  skip(lines: number): readonly Passage[] {
    const taken = [...this.read(lines, 0)];
    for (let next = this.left.at(-1); next !== undefined && writtenLines(next).length === 0; next = this.left.at(-1)) {
      taken.push(next);
      this.left.pop();
    }
    return taken;
  }

  /** The passages that are as many lines as agents left them, and as many without their changes. */
  read(lines: number, before: number): readonly Passage[] {
    const taken: Passage[] = [];
    for (let [ahead, behind] = [lines, before]; ahead > 0 || behind > 0;) {
      const next = this.left.pop();
      if (next === undefined) return taken;
      const count = writtenLines(next).length;
      const isChanged = next.versions.length > 0;
      // What is cut has as many lines on both sides, or is only read by those that are there now.
      const part = (isChanged && before > 0) || count <= ahead ? next : this.cut(next, ahead);
      taken.push(part);
      ahead -= writtenLines(part).length;
      behind -= part.before.length;
    }
    return taken;
  }

  /** All that is left. */
  rest(): readonly Passage[] {
    return this.left.splice(0).reverse();
  }

  private cut({ before, versions }: Passage, at: number): Passage {
    const half = (pick: (lines: readonly string[]) => readonly string[]): Passage => ({
      before: pick(before),
      versions: versions.map(({ by, lines }) => ({ by, lines: pick(lines) })),
    });
    this.left.push(half((lines) => lines.slice(at)));
    return half((lines) => lines.slice(0, at));
  }
}

/** How passages are stored: as many unchanged lines, or a change with the lines of its sides, its author, and what it was made from. */
type StoredPassage = number | readonly [before: number, lines: number, author: number, ...from: (readonly [author: number, text: string])[]];

/** Passages and their authors as they are stored beside the texts of a file. */
export interface StoredPassages {
  readonly authors: readonly ChangeAuthor[];
  readonly passages: readonly StoredPassage[];
}

/** The form in which passages are stored. */
export function storedPassages(passages: readonly Passage[]): StoredPassages {
  const authors: ChangeAuthor[] = [];
  const numberOf = ({ id, name }: ChangeAuthor): number => {
    const known = authors.findIndex((author) => author.id === id);
    return known === -1 ? authors.push({ id, name }) - 1 : known;
  };
  const stored = passages.map(({ before, versions }): StoredPassage => {
    const last = versions.at(-1);
    if (last === undefined) return before.length;
    const from = versions.slice(0, -1).map(({ by, lines }) => [numberOf(by), lines.join('')] as const);
    return [before.length, last.lines.length, numberOf(last.by), ...from];
  });
  return { authors, passages: stored };
}

/**
 * Reads stored passages.
 * @param texts the lines of the file without the changes, and with them
 * @returns `undefined` where they do not fit the texts
 */
export function parsePassages(
  { authors, passages }: { readonly authors: readonly (ChangeAuthor | undefined)[]; readonly passages: unknown },
  { before, agent }: { readonly before: readonly string[]; readonly agent: readonly string[] },
): readonly Passage[] | undefined {
  if (!Array.isArray(passages)) return undefined;
  const all: Passage[] = [];
  let [at, beforeAt] = [0, 0];
  for (const stored of passages as readonly unknown[]) {
    const [removed, added, ...by] = Array.isArray(stored) ? (stored as readonly unknown[]) : [stored, stored];
    if (!isCount(removed) || !isCount(added)) return undefined;
    const [own, now] = [before.slice(beforeAt, beforeAt + removed), agent.slice(at, at + added)];
    [at, beforeAt] = [at + added, beforeAt + removed];
    const versions = Array.isArray(stored) ? versionsOf(by, now, authors) : [];
    if (versions === undefined || (versions.length === 0 && !isSame(own, now))) return undefined;
    all.push({ before: own, versions });
  }
  return at === agent.length && beforeAt === before.length ? all : undefined;
}

function versionsOf(
  [last, ...from]: readonly unknown[],
  lines: readonly string[],
  authors: readonly (ChangeAuthor | undefined)[],
): readonly WrittenLines[] | undefined {
  const authorAt = (index: unknown): ChangeAuthor => (isCount(index) ? authors[index] : undefined) ?? CHAT_AUTHOR;
  const earlier = from.map((each): WrittenLines | undefined => {
    const [author, text] = Array.isArray(each) ? (each as readonly unknown[]) : [];
    return typeof text === 'string' ? { by: authorAt(author), lines: linesOf(text) } : undefined;
  });
  const known = earlier.filter((version) => version !== undefined);
  return known.length < earlier.length ? undefined : [...known, { by: authorAt(last), lines }];
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
