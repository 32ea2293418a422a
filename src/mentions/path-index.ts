import { inSlices } from '../concurrency/steps.js';

/** Paths that are looked at between two chances to stop. */
const PATHS_PER_STEP = 2_000;

/** Index of all files and folders of the workspace by display path, for search while typing. */
export class PathIndex {
  private constructor(private readonly entries: readonly Searched[]) {}

  /** Of the paths of files. Their folders are found on their own, and end with a slash. */
  static of(files: Iterable<string>): PathIndex {
    const paths = new Set<string>();
    for (const file of files) {
      paths.add(file);
      for (let slash = file.lastIndexOf('/'); slash > 0; slash = file.lastIndexOf('/', slash - 1)) {
        const folder = file.slice(0, slash + 1);
        if (paths.has(folder)) break;
        paths.add(folder);
      }
    }
    return new PathIndex([...paths].map(searched));
  }

  get size(): number {
    return this.entries.length;
  }

  /**
   * The paths that fit best, best first.
   * @throws AbortError when the signal is aborted.
   */
  find(query: string, limit: number, signal: AbortSignal): Promise<readonly string[]> {
    return inSlices(this.search(query.toLowerCase().replaceAll('\\', '/').replace(/^\.\//, ''), limit), signal);
  }

  private *search(query: string, limit: number): Generator<undefined, readonly string[], undefined> {
    const best = new Best<string>(limit);
    let count = 0;
    for (const entry of this.entries) {
      const points = score(query, entry);
      if (points !== undefined) best.add(entry.path, points);
      count += 1;
      if (count % PATHS_PER_STEP === 0) yield;
    }
    return best.values;
  }
}

/** Points of a match. The order of magnitude is what counts: a name that begins so is better than letters here and there. */
const EXACT = 1_000;
const NAME_PREFIX = 500;
const NAME_PART = 300;
const WORD_START = 30;
const NEIGHBOR = 15;
const IN_NAME = 8;
/** Taken off for each character of a path, so that the shorter of two equals comes first. */
const PER_CHARACTER = 0.5;

const SEPARATOR = /[/\\._\- ]/;

/** A path as it is searched. */
interface Searched {
  readonly path: string;
  /** In lower case. */
  readonly lower: string;
  /** Where its name begins. */
  readonly name: number;
}

/** Prepares a path; one of a folder ends with a slash. */
export function searched(path: string): Searched {
  return { path, lower: path.toLowerCase(), name: path.lastIndexOf('/', path.length - 2) + 1 };
}

/**
 * Score of a path for a query in lower case; `undefined` when its letters are not all there in their order. Letters at the
 * end of the path, where the name is, count for more.
 */
export function score(query: string, { path, lower, name }: Searched): number | undefined {
  if (query === '') return -path.length * PER_CHARACTER;
  const whole = lower.lastIndexOf(query);
  const letters = whole < 0 ? lettersScore(query, { path, lower, name }) : wholeScore(query, whole, { path, lower, name });
  return letters === undefined ? undefined : letters - path.length * PER_CHARACTER;
}

function wholeScore(query: string, at: number, { path, lower, name }: Searched): number {
  const run = query.length * NEIGHBOR;
  const bare = lower.slice(name).replace(/\/$/, '');
  if (bare === query || lower === query) return EXACT + run;
  if (lower.startsWith(query, name)) return NAME_PREFIX + run;
  if (at >= name) return NAME_PART + run + (isWordStart(path, at) ? WORD_START : 0);
  return run + (isWordStart(path, at) ? WORD_START : 0);
}

/** The letters from the end to the beginning, each as late as it can be. */
function lettersScore(query: string, { path, lower, name }: Searched): number | undefined {
  let points = 0;
  let last = lower.length;
  for (let index = query.length - 1; index >= 0; index -= 1) {
    const at = last === 0 ? -1 : lower.lastIndexOf(query.charAt(index), last - 1);
    if (at < 0) return undefined;
    if (at === last - 1) points += NEIGHBOR;
    if (at >= name) points += IN_NAME;
    if (isWordStart(path, at)) points += WORD_START;
    last = at;
  }
  return points;
}

function isWordStart(path: string, at: number): boolean {
  if (at === 0) return true;
  const before = path.charAt(at - 1);
  return SEPARATOR.test(before) || (/[a-z\d]/.test(before) && /[A-Z]/.test(path.charAt(at)));
}

/** The best of many, best first; each found with its points. Keeps few at a time, however many there are. */
class Best<T> {
  private readonly found: { readonly value: T; readonly points: number }[] = [];

  constructor(private readonly limit: number) {}

  /** Takes one in where it is good enough. Of equals the earlier comes first. */
  add(value: T, points: number): void {
    const worst = this.found.at(-1);
    if (this.found.length >= this.limit && worst !== undefined && points <= worst.points) return;
    const at = this.found.findIndex((each) => each.points < points);
    this.found.splice(at < 0 ? this.found.length : at, 0, { value, points });
    if (this.found.length > this.limit) this.found.pop();
  }

  /** The values kept. */
  get values(): readonly T[] {
    return this.found.map(({ value }) => value);
  }
}
