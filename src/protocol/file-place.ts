import { present } from '../domain/present.js';

/** A place in a file, as answers write it. */
export interface FilePlace {
  readonly path: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
  /** The last line of a range. */
  readonly endLine?: number;
}

/** Behind a path: `:10`, `:10:5`, `:10-20`, `#L10`, `#L10-L20`, `#L10C5`, `(10,5)`. */
const PLACE =
  /^(.*?)(?::(\d{1,7})(?:(?::(\d{1,7}))|(?:[-–](\d{1,7})))?|#L(\d{1,7})(?:C(\d{1,7}))?(?:-L?(\d{1,7})(?:C\d{1,7})?)?|\((\d{1,7})(?:,\s?(\d{1,7}))?\))$/;

/** Reads a path with a line behind it, such as `src/a.ts:10` or `src/a.ts#L10-L20`. What is no place is a path. */
export function parseFilePlace(text: string): FilePlace {
  const match = PLACE.exec(text);
  if (match === null) return { path: text };
  const [, path = '', line, column, end, hashLine, hashColumn, hashEnd, callLine, callColumn] = match;
  return place(path, [line ?? hashLine ?? callLine, column ?? hashColumn ?? callColumn, end ?? hashEnd]);
}

function place(path: string, texts: readonly (string | undefined)[]): FilePlace {
  const [line, column, endLine] = texts.map((text) => (text === undefined || Number(text) === 0 ? undefined : Number(text)));
  return { path, ...present({ line, column, endLine }) };
}

/** A path in running text: with an ending of letters, and a folder before it or a line behind it. */
const IN_TEXT = new RegExp(
  // Folders, the name, and the lines.
  String.raw`(?<![\w/\\@:.+-])(?:\.{1,2}[\\/]|[\\/])?(?:[\w@.+-]+[\\/])*` +
    String.raw`[\w@+-][\w@.+-]*\.[A-Za-z]\w{0,9}` +
    String.raw`(?::\d{1,7}(?:[:-]\d{1,7})?|#L\d{1,7}(?:-L?\d{1,7})?)?(?![\w/\\@-])`,
  'g',
);
/** The same where the text is nothing but a path, such as in code within a line; a name without a folder will do. */
const WHOLE = /^(?:\.{1,2}[\\/]|[\\/])?(?:[\w@.+ ()[\]-]+[\\/])*[\w@+.()[\]-]+(?::\d{1,7}(?:[:-]\d{1,7})?|#L\d{1,7}(?:-L?\d{1,7})?)?$/;
/** The most characters of a path with its place. */
const MAX_LENGTH = 400;

/** A stretch of text that may name a file. */
export interface FileMention {
  readonly at: number;
  readonly text: string;
}

/** Finds possible file names in running text. Whether there is such a file is not checked here. */
export function fileMentions(text: string): readonly FileMention[] {
  if (!text.includes('.')) return [];
  const all = [...text.matchAll(IN_TEXT)].map((match) => ({ at: match.index, text: match[0] }));
  return all.filter((mention) => mention.text.length <= MAX_LENGTH && (/[\\/]/.test(mention.text) || parseFilePlace(mention.text).line !== undefined));
}

/** Whether a text on its own, such as inline code, may name a file. */
export function mayBeFile(text: string): boolean {
  return text.length <= MAX_LENGTH && /[\\/.]/.test(text) && WHOLE.test(text);
}
