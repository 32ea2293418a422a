/** Lines of a file: the first and the last, both counted from 1. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** A place between two characters of a text. Lines, and characters in their line, are counted from 0. */
export interface TextPosition {
  readonly line: number;
  readonly character: number;
}

/** A change of a text as editors report it: a range of the text before, and its replacement. */
export interface TextEdit {
  readonly start: TextPosition;
  readonly end: TextPosition;
  readonly text: string;
}

/** A {@link TextEdit} by offsets. */
export interface OffsetEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
