/** How one server ends the answers of one model. */
interface Habit {
  /** Whether it has ever said why an answer stopped. */
  says: boolean;
  /** Answers that ended without a break, and without that. */
  silent: number;
}

/** Most models that are remembered. */
const MOST_HABITS = 200;

const HABITS = new Map<string, Habit>();

/**
 * Tells an answer that was cut off from one of a server that never says why its answers stop. Without that word the first
 * counts as cut off and is asked for again; where it has never come, the next one is taken as whole.
 */
export class EndHabit {
  private readonly habit: Habit;

  /** @param place the address of the server and the model */
  constructor(place: readonly string[]) {
    const key = JSON.stringify(place);
    this.habit = HABITS.get(key) ?? { says: false, silent: 0 };
    HABITS.set(key, this.habit);
    const [oldest] = HABITS.keys();
    if (HABITS.size > MOST_HABITS && oldest !== undefined) HABITS.delete(oldest);
  }

  /** Takes that an answer ended. @returns whether it counts as whole */
  ended(saidWhy: boolean): boolean {
    if (saidWhy) this.habit.says = true;
    else this.habit.silent += 1;
    return saidWhy || (!this.habit.says && this.habit.silent > 1);
  }
}
