/** Characters before the cursor that count; earlier text is neither sent nor compared. */
export const PREFIX_CHARACTERS = 6_000;
/** Characters behind the cursor that count. */
export const SUFFIX_CHARACTERS = 2_000;

/** A place where something is typed, with the text around it. Line endings are `\n`. */
export interface Place {
  /** Names the document: two places in the same one have the same name. */
  readonly document: string;
  /** Path of the document in the prompt. */
  readonly path: string;
  /** Language of the document as VS Code names it, such as `typescript`. */
  readonly language: string;
  /** Characters of the document before the cursor, all of them. */
  readonly offset: number;
  /** The last {@link PREFIX_CHARACTERS} before the cursor. */
  readonly prefix: string;
  /** The first {@link SUFFIX_CHARACTERS} behind the cursor. */
  readonly suffix: string;
}

/** The part of the cursor's line before the cursor. */
export function lineBefore({ prefix }: Pick<Place, 'prefix'>): string {
  return prefix.slice(prefix.lastIndexOf('\n') + 1);
}

/** The part of the cursor's line after the cursor. */
export function lineAfter({ suffix }: Pick<Place, 'suffix'>): string {
  const end = suffix.indexOf('\n');
  return end < 0 ? suffix : suffix.slice(0, end);
}

/** The white space that a line begins with. */
export function indentationOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}
