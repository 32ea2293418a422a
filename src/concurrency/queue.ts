/** Runs tasks one after the other, in the order in which they came. */
export class Queue {
  private tail: Promise<unknown> = Promise.resolve();

  /** Runs a task when all before it have ended, however they ended: a task that failed reports to its own caller. */
  run<T>(task: () => Promise<T>): Promise<T> {
    const run = this.tail.then(task, task);
    this.tail = run;
    return run;
  }
}
