/** Finds a conversation, and shows it unless the user asked for another one meanwhile. */
export interface Arriving<Found> {
  readonly find: () => Promise<Found>;
  readonly take: (found: Found) => void;
  /** Gets it in place of `take` when the user asked for something else meanwhile. */
  readonly drop: (found: Found) => void;
}

/**
 * The change to another conversation that is under way in a place. The one asked for last counts, however long those before
 * it take. What the user says meanwhile is for the conversation that comes: they asked for it first.
 */
export class ConversationSwitch {
  private change: Promise<boolean> | undefined;
  private asked = 0;

  /** Changes over to what is found. Returns whether it was taken. Rejects when it cannot be found. */
  to<Found>({ find, take, drop }: Arriving<Found>): Promise<boolean> {
    this.asked += 1;
    const mine = this.asked;
    const change = find().then((found) => {
      const wanted = mine === this.asked;
      if (wanted) take(found);
      else drop(found);
      return wanted;
    });
    this.change = change;
    const done = (): void => {
      if (this.change === change) this.change = undefined;
    };
    change.then(done, done);
    return change;
  }

  /** Resolves when no change is under way. Rejects when the one that was asked for last fails, so that nothing goes elsewhere. */
  async settled(): Promise<void> {
    await this.change;
  }
}
