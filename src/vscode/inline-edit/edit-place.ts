import * as vscode from 'vscode';
import type { LineRegion } from '../../inline-edit/line-edit.js';

/** The code that an inline edit is about. */
export interface EditPlace {
  readonly document: vscode.TextDocument;
  readonly region: LineRegion;
}

/** The code that the user points at. */
export interface PromptPlace extends EditPlace {
  /** Whether the user selected the lines; otherwise they are those around the cursor. */
  readonly selected: boolean;
}

/** The code that a code action names, else the selection, else the lines around the cursor up to the next blank ones. */
export function placeIn({ document, selection }: vscode.TextEditor, argument: unknown): PromptPlace {
  const range = isAction(argument) ? argument.range : selection;
  return { document, region: regionOf(document, range), selected: !range.isEmpty };
}

/** The code around another range of the document that a place is in. @param range `undefined` for the place itself */
export function placeAt(place: PromptPlace, range: vscode.Range | undefined): PromptPlace {
  return range === undefined ? place : { document: place.document, region: regionOf(place.document, range), selected: !range.isEmpty };
}

function isAction(value: unknown): value is { readonly range: vscode.Range } {
  return typeof value === 'object' && value !== null && 'range' in value && value.range instanceof vscode.Range;
}

function regionOf(document: vscode.TextDocument, { start, end, isEmpty }: vscode.Range): LineRegion {
  if (isEmpty) return around(document, start.line);
  // A selection that ends at the beginning of a line does not include that line.
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { start: start.line, end: last + 1 };
}

function around(document: vscode.TextDocument, line: number): LineRegion {
  const isBlank = (index: number): boolean => document.lineAt(index).isEmptyOrWhitespace;
  if (isBlank(line)) return { start: line, end: line + 1 };
  let start = line;
  while (start > 0 && !isBlank(start - 1)) start -= 1;
  let end = line + 1;
  while (end < document.lineCount && !isBlank(end)) end += 1;
  return { start, end };
}
