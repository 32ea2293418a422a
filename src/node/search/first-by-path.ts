/** Results of one file. */
interface Entry<T> {
  /** What files are ordered by. */
  readonly key: string;
  /** Number of results in it. */
  readonly weight: number;
  readonly value: T;
}

/**
 * Keeps the first results by path of a stream in any order. Memory is bounded: at most about three times as many results
 * as are wanted are ever kept.
 */
export class FirstByPath<T> {
  private entries: Entry<T>[] = [];
  private weight = 0;
  /** Files after this one cannot be among the first any more. */
  private last: string | undefined;

  /** @param wanted how many results are wanted. */
  constructor(private readonly wanted: number) {}

  /** Whether a file can still be among the first. */
  wants(key: string): boolean {
    return this.last === undefined || key < this.last;
  }

  add(entry: Entry<T>): void {
    if (!this.wants(entry.key)) return;
    this.entries.push(entry);
    this.weight += entry.weight;
    if (this.weight > 3 * this.wanted) this.prune();
  }

  /** The kept entries, in order of path: all of the first results that are wanted, and maybe more. */
  inOrder(): readonly T[] {
    this.prune();
    return this.entries.map(({ value }) => value);
  }

  private prune(): void {
    this.entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    let weight = 0;
    const end = this.entries.findIndex((entry) => (weight += entry.weight) >= this.wanted);
    if (end === -1) return;
    this.entries.length = end + 1;
    this.weight = weight;
    this.last = this.entries[end]?.key;
  }
}
