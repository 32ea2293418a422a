import * as vscode from 'vscode';
import type { LineEdit } from '../../../inline-edit/line-edit.js';

/** A range of characters and what takes its place. */
export interface RangeEdit {
  readonly range: vscode.Range;
  readonly text: string;
}

/** The ending of a document's lines. */
export function endingOf(document: vscode.TextDocument): string {
  return document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
}

/** The lines of a document, without their endings. */
export function linesOf(document: vscode.TextDocument): readonly string[] {
  return document.getText().split(endingOf(document));
}

/** What changes whole lines of a document. The last line has no ending: there the ending before it goes along. */
export function rangeEditOf(document: vscode.TextDocument, { start, end, lines }: LineEdit): RangeEdit {
  const eol = endingOf(document);
  const atEnd = document.lineAt(document.lineCount - 1).range.end;
  if (end < document.lineCount) return { range: new vscode.Range(start, 0, end, 0), text: lines.map((line) => line + eol).join('') };
  if (start === 0) return { range: new vscode.Range(new vscode.Position(0, 0), atEnd), text: lines.join(eol) };
  return { range: new vscode.Range(document.lineAt(start - 1).range.end, atEnd), text: lines.map((line) => eol + line).join('') };
}

/** A text with edits that lie apart from each other. */
export function textAfter(before: string, edits: readonly RangeEdit[], eol: string): string {
  const starts = [0];
  for (let at = before.indexOf(eol); at >= 0; at = before.indexOf(eol, at + eol.length)) starts.push(at + eol.length);
  const offsetOf = ({ line, character }: vscode.Position): number => (starts[line] ?? before.length) + character;
  const fromTheEnd = edits.toSorted((a, b) => b.range.start.compareTo(a.range.start));
  return fromTheEnd.reduce((text, { range, text: fresh }) => text.slice(0, offsetOf(range.start)) + fresh + text.slice(offsetOf(range.end)), before);
}
