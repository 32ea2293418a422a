/** Milliseconds after its appearance in which a prompt takes no key, and no click that allows something. */
export const GUARD_MS = 500;

/** The part of a key event that the guard uses. */
export interface KeyPress {
  readonly key: string;
  readonly repeat: boolean;
}

/**
 * Says whether a key may press a button of a prompt that has just appeared under someone's hands: not within
 * {@link GUARD_MS} of its appearance, and not when the key was down before or repeats. Times in milliseconds.
 */
export class KeyGuard {
  constructor(private readonly appeared: number) {}

  /** Whether a key that goes down now may press a button. Keys that press nothing always pass. */
  allows(press: KeyPress, now: number): boolean {
    if (press.key !== 'Enter' && press.key !== ' ') return true;
    return this.allowsShortcut(press, now);
  }

  /** Whether a key that answers the prompt from elsewhere may do so. */
  allowsShortcut(press: Pick<KeyPress, 'repeat'>, now: number): boolean {
    return !press.repeat && now - this.appeared >= GUARD_MS;
  }
}
