/**
 * The change to another conversation that is under way in a place. What the person says meanwhile is for the conversation
 * that comes: they asked for it first.
 */
export class Arrival {
  private change: Promise<void> | undefined;

  /** Carries out a change. Rejects when it fails. */
  async during(change: () => Promise<void>): Promise<void> {
    const before = this.change;
    const now = change();
    // The one asked for last is waited for, with those that were still under way then.
    const all = Promise.all([before?.catch(() => undefined), now]).then(() => undefined);
    this.change = all;
    const done = (): void => {
      if (this.change === all) this.change = undefined;
    };
    all.then(done, done);
    await now;
  }

  /** Resolves when no change is under way. Rejects when the one that was asked for last fails, so that nothing goes elsewhere. */
  async settled(): Promise<void> {
    await this.change;
  }
}
