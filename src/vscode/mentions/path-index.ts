import { inSlices } from '../../text/steps.js';
import type { Searched } from './fuzzy.js';
import { Best, score, searched } from './fuzzy.js';

/** Paths that are looked at between two chances to stop. */
const PATHS_PER_STEP = 2_000;

/** All files and folders of the workspace by their paths for people, ready to be searched as they are typed. */
export class PathIndex {
  private readonly entries: readonly Searched[];

  private constructor(entries: readonly Searched[]) {
    this.entries = entries;
  }

  /** Of the paths of files. Their folders are found by themselves, and end with a slash. */
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
