/** A text before and after something was typed into it. */
export interface TypedInto {
  /** The offset at which it was typed. */
  readonly start: number;
  /** What was there in its place. */
  readonly removed: string;
  readonly typed: string;
}

/** Where keys go in a text: its cursor, or what is selected. Offsets. */
export interface TypingPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * What one run of typing changed in a text.
 * @param place where it began: letters that are the same as those beside them are otherwise found too far behind or ahead
 */
export function typedInto(before: string, after: string, place: TypingPlace): TypedInto {
  const most = Math.min(before.length, after.length);
  const [mostBefore, mostBehind] = [Math.min(most, place.start), before.length - place.end];
  let start = 0;
  while (start < mostBefore && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < Math.min(most - start, mostBehind) && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  return { start, removed: before.slice(start, before.length - end), typed: after.slice(start, after.length - end) };
}

/**
 * Where one run of typing began that led from one text to another.
 * @param cursor the end of what was typed, as an offset in the text after it
 * @returns `undefined` when it was not one run that ends there
 */
export function typingPlace(before: string, after: string, cursor: number): TypingPlace | undefined {
  const end = before.length - (after.length - cursor);
  if (end < 0 || before.slice(end) !== after.slice(cursor)) return undefined;
  if (end <= cursor && before.slice(0, end) === after.slice(0, end)) return { start: end, end };
  return { start: typedInto(before.slice(0, end), after.slice(0, cursor), { start: end, end }).start, end };
}

/** How many steps of Undo VS Code makes of what is typed in one go: a blank behind a word begins one. */
export function stepsOf(typed: string): number {
  return 1 + (typed.match(/\S(?=\s)/g)?.length ?? 0);
}

/** Whether something is the beginning of what was typed, as it is left when the last of it is taken back. */
export function isBeginningOf(typed: TypedInto, left: TypedInto): boolean {
  return left.start === typed.start && left.removed === typed.removed && left.typed !== '' && typed.typed.startsWith(left.typed);
}

/**
 * The words of an input box that begins with what was typed before it was there. The box and the host change its value at the same
 * time, and each learns late what the other did: a letter that is typed while a value is on its way is in neither. So what the box
 * reports is read as keys that were pressed, and the host writes until both agree.
 */
export class EarlyWords {
  private words: string;
  /** What the box was last known to hold. */
  private current: string;
  /** Values on their way to it. VS Code sends the last of those that are written at once, so that some never arrive. */
  private readonly sent: string[] = [];

  /**
   * @param words what the box has to hold
   * @param current what it was last known to hold
   */
  constructor(words: string, current: string) {
    this.words = words;
    this.current = current;
    this.sent.push(this.words);
  }

  /** What the box has to hold first. */
  get first(): string {
    return this.sent[0] ?? this.words;
  }

  /** Whether the box and the host agree. */
  get settled(): boolean {
    return this.sent.length === 0;
  }

  /**
   * Takes the value that the box reports.
   * @returns the value to write into it; `undefined` while nothing has to be written
   */
  reported(value: string): string | undefined {
    const arrived = this.sent.indexOf(value);
    if (arrived < 0) this.words = pressed(this.words, this.current, value);
    else this.sent.splice(0, arrived + 1);
    this.current = value;
    if ((this.sent.at(-1) ?? value) === this.words) return undefined;
    this.sent.push(this.words);
    return this.words;
  }
}

/** Words after the keys that led a box from one value to the next: more letters at its end, or some of them taken away. */
function pressed(words: string, from: string, to: string): string {
  if (to.startsWith(from)) return words + to.slice(from.length);
  return from.startsWith(to) ? words.slice(0, Math.max(0, words.length - (from.length - to.length))) : to;
}
