import type { Candidate } from './ranking.js';

/** A replacement of whole lines, in the terms of the `edit` tool. */
export interface LineEdit {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** Writes a repair as a replacement of its line, with lines before it until the text occurs only once. */
export function lineEdit({ module, repair }: Pick<Candidate, 'module' | 'repair'>): LineEdit {
  const { text, path } = module;
  let start = text.lastIndexOf('\n', repair.start - 1) + 1;
  const newline = text.indexOf('\n', repair.end);
  const end = newline < 0 ? text.length : newline;
  while (start > 0 && text.indexOf(text.slice(start, end)) !== text.lastIndexOf(text.slice(start, end))) {
    start = text.lastIndexOf('\n', start - 2) + 1;
  }
  const after = text.slice(start, repair.start) + repair.replacement + text.slice(repair.end, end);
  return { path, before: text.slice(start, end), after };
}

/** The edit that takes another one back. */
export function reverseOf({ path, before, after }: LineEdit): LineEdit {
  return { path, before: after, after: before };
}

/** The edit of a call, as far as its arguments are one. */
export function editOfArgs(args: Readonly<Record<string, unknown>>): LineEdit | undefined {
  const { file_path: path, old_string: before, new_string: after } = args;
  if (typeof path !== 'string' || typeof before !== 'string' || typeof after !== 'string') return undefined;
  return { path, before, after };
}

/** A text by which edits can be compared. */
export function editKey({ path, before, after }: LineEdit): string {
  return JSON.stringify([path, before, after]);
}
