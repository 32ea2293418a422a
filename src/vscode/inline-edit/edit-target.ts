import type * as vscode from 'vscode';
import type { LineRegion } from '../../inline-edit/line-edit.js';


/** The lines that an edit is about: those of the selection, else the lines around the cursor up to the next blank ones. */
export function regionOf(document: vscode.TextDocument, selection: vscode.Range): LineRegion {
  const { start, end } = selection;
  if (selection.isEmpty) return around(document, start.line);
  // A selection that ends at the beginning of a line does not hold that line.
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
