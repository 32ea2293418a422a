/** Work that is done in small steps. */
export interface Work {
  /** Does a few milliseconds of work. `true` when there is more, `later` when that can wait until nothing else waits. */
  step(): boolean | 'later';
}

/** Work waiting for a frame. What was added last comes first: the end of a transcript is what a user looks at. */
export class WorkQueue {
  private readonly waiting = new Set<Work>();
  /** Low-priority work, done when nothing else waits. */
  private readonly late = new Set<Work>();
  private whenDone: (() => void)[] = [];

  /** `request` is called whenever work is added. */
  constructor(private readonly request: () => void) {}

  /** Adds work, or does nothing if it waits already. */
  add(work: Work): void {
    this.late.delete(work);
    this.waiting.add(work);
    this.request();
  }

  /** Takes work out. */
  remove(work: Work): void {
    this.waiting.delete(work);
    this.late.delete(work);
  }

  /** Calls back once, as soon as no work waits any more. */
  whenDry(done: () => void): void {
    this.whenDone.push(done);
    this.request();
  }

  /** Works until the deadline, at least one step; `true` when there is more. `now` returns the time. */
  run(deadline: number, now: () => number = () => performance.now()): boolean {
    for (let work = this.next(); work !== undefined; work = this.next()) {
      this.take(work, work.step());
      if (now() >= deadline) break;
    }
    if (this.waiting.size + this.late.size > 0) return true;
    for (const done of this.whenDone.splice(0)) done();
    // They may have brought more.
    return this.waiting.size + this.late.size + this.whenDone.length > 0;
  }

  private take(work: Work, more: boolean | 'later'): void {
    if (more === true) return;
    this.waiting.delete(work);
    if (more === 'later') this.late.add(work);
    else this.late.delete(work);
  }

  private next(): Work | undefined {
    return newest(this.waiting) ?? newest(this.late);
  }
}

function newest(all: ReadonlySet<Work>): Work | undefined {
  let last: Work | undefined;
  for (const work of all) last = work;
  return last;
}
