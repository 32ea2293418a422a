/** Work that is done in small steps. */
export interface Work {
  /** Does a few milliseconds of work; `true` when there is more. */
  step(): boolean;
}

/** Work waiting for a frame. What was added last comes first: the end of a transcript is what a person looks at. */
export class WorkQueue {
  private readonly waiting = new Set<Work>();
  private whenDone: (() => void)[] = [];
  private readonly request: () => void;

  /** `request` is called whenever work is added. */
  constructor(request: () => void) {
    this.request = request;
  }

  /** Adds work. What waits already keeps its place, unless it is to come first: before all that waits. */
  add(work: Work, { first = false }: { readonly first?: boolean } = {}): void {
    if (first) this.waiting.delete(work);
    this.waiting.add(work);
    this.request();
  }

  /** Takes work out. */
  remove(work: Work): void {
    this.waiting.delete(work);
  }

  /** Calls back once, as soon as no work waits any more. */
  whenDry(done: () => void): void {
    this.whenDone.push(done);
    this.request();
  }

  /** Works until the deadline, at least one step; `true` when there is more. `now` tells the time. */
  run(deadline: number, now: () => number = () => performance.now()): boolean {
    for (let work = this.newest(); work !== undefined; work = this.newest()) {
      if (!work.step()) this.waiting.delete(work);
      if (now() >= deadline) break;
    }
    if (this.waiting.size > 0) return true;
    for (const done of this.whenDone.splice(0)) done();
    return false;
  }

  private newest(): Work | undefined {
    let newest: Work | undefined;
    for (const work of this.waiting) newest = work;
    return newest;
  }
}
