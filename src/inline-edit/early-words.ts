/** A text before and after something was typed into it. */
export interface TypedInto {
  /** The offset at which it was typed. */
  readonly start: number;
  /** The text that it replaced. */
  readonly removed: string;
  readonly typed: string;
}

/** Where keys go in a text: its cursor, or what is selected. Offsets. */
export interface TypingPlace {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the change of a text by one run of typing.
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

/** Number of Undo steps that VS Code makes of one run of typing: a space behind a word begins one. */
export function stepsOf(typed: string): number {
  return 1 + (typed.match(/\S(?=\s)/g)?.length ?? 0);
}

/** Whether a text is one before something was typed into it, but for the place of that: what is left when a part of it is taken back. */
export function differsWithin(before: string, text: string, { start, end }: TypingPlace): boolean {
  return text.length >= start + before.length - end && text.startsWith(before.slice(0, start)) && text.endsWith(before.slice(end));
}

/** Text of one run of typing. */
export interface Typed {
  readonly words: string;
  /** Changes, each with its offset in the text after it. */
  readonly changes: readonly TypedInto[];
}

/**
 * Finds the text typed at one cursor, or at several at once, the same at each.
 * @param places in their order, apart from each other
 * @returns `undefined` when something else changed the text
 */
export function typedAt(before: string, after: string, places: readonly TypingPlace[]): Typed | undefined {
  const [place, ...others] = places;
  if (place === undefined || before === after) return undefined;
  if (others.length > 0) return typedAtAll(before, after, places);
  const change = typedInto(before, after, place);
  // A bracket is put around what is selected.
  const { typed, removed } = change;
  return { words: removed !== '' && typed.includes(removed) ? typed.slice(0, typed.indexOf(removed)) : typed, changes: [change] };
}

function typedAtAll(before: string, after: string, places: readonly TypingPlace[]): Typed | undefined {
  const gone = places.reduce((sum, { start, end }) => sum + end - start, 0);
  const length = (after.length - before.length + gone) / places.length;
  const first = places[0]?.start ?? 0;
  if (!Number.isInteger(length) || length < 0) return undefined;
  const typed = after.slice(first, first + length);
  let shift = 0;
  const changes = places.map(({ start, end }) => {
    const change = { start: start + shift, removed: before.slice(start, end), typed };
    shift += length - (end - start);
    return change;
  });
  const isEverywhere = changes.every(({ start }) => after.startsWith(typed, start));
  return isEverywhere && withoutTyped(after, changes) === before ? { words: typed, changes } : undefined;
}

/** A text without what was typed into it. */
function withoutTyped(text: string, changes: readonly TypedInto[]): string {
  return changes.toReversed().reduce((whole, { start, removed, typed }) => whole.slice(0, start) + removed + whole.slice(start + typed.length), text);
}

/**
 * The words of an input box that begins with what was typed before it was there. The box and the host change its value at the same
 * time, and each learns late what the other did: a letter that is typed while a value is on its way is in neither. So what the box
 * reports is read as keys that were pressed, and the host writes, one value after the other, until both agree.
 *
 * The echo of a value looks like keys that lead to the same one, as the second of two equal letters can: values are best written
 * while nothing is typed.
 */
export class EarlyWords {
  /** The value on its way to it. */
  private written: string | undefined;

  /**
   * @param words what the box has to hold
   * @param current what it was last known to hold
   */
  constructor(
    private words: string,
    /** Last known text of the input box. */
    private current: string,
  ) {}

  /** Text that the input box should have. */
  get all(): string {
    return this.words;
  }

  /** Whether the box holds it. */
  get settled(): boolean {
    return this.written === undefined && this.current === this.words;
  }

  /** Whether a value has to be written, and none is on its way. */
  get waits(): boolean {
    return this.written === undefined && this.current !== this.words;
  }

  /** Adds what was typed elsewhere before. @param at offset in what the box has to hold */
  insert(at: number, typed: string): void {
    this.words = this.words.slice(0, at) + typed + this.words.slice(at);
  }

  /** Takes note that the value is written now. @returns it */
  write(): string {
    this.written = this.words;
    return this.words;
  }

  /** Takes the value that the box reports. */
  reported(value: string): void {
    if (value === this.written) this.written = undefined;
    else this.words = pressed(this.words, this.current, value);
    this.current = value;
  }
}

/** Words after the keys that led a box from one value to the next: more letters at its end, or some of them taken away. */
function pressed(words: string, from: string, to: string): string {
  if (to.startsWith(from)) return words + to.slice(from.length);
  return from.startsWith(to) ? words.slice(0, Math.max(0, words.length - (from.length - to.length))) : to;
}
