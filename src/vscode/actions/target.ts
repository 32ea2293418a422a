import * as vscode from 'vscode';
import { displayPath } from '../mentions/workspace-paths.js';
import type { CodePlace } from './action-prompt.js';

/** The code that an editor command applies to. */
export interface ActionTarget {
  readonly uri: vscode.Uri;
  readonly place: CodePlace;
  readonly language: string;
  /** Message of the problem at that place. */
  readonly problem: string;
}

/** Argument that a code action passes to its command. */
export interface ActionArgument {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly problem?: string;
}

/** The code that a command applies to: the argument of a code action, the file of a menu, else the active editor. */
export function targetOf([argument]: readonly unknown[]): ActionTarget | undefined {
  if (isArgument(argument)) return at(argument.uri, argument.range, argument.problem ?? '');
  const editor = vscode.window.activeTextEditor;
  if (argument instanceof vscode.Uri && argument.toString() !== editor?.document.uri.toString()) return at(argument, undefined, '');
  return editor === undefined ? undefined : at(editor.document.uri, editor.selection.isEmpty ? undefined : editor.selection, '');
}

/** The files and folders that were chosen in a menu, or what the active editor shows. */
export function placesOf([argument, chosen]: readonly unknown[]): readonly CodePlace[] {
  const uris = Array.isArray(chosen) ? chosen.filter((uri) => uri instanceof vscode.Uri) : [];
  if (uris.length > 1) return uris.map((uri) => ({ path: displayPath(uri) }));
  const target = targetOf([argument]);
  return target === undefined ? [] : [target.place];
}

function at(uri: vscode.Uri, range: vscode.Range | undefined, problem: string): ActionTarget {
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  const path = displayPath(uri);
  return { uri, language: document?.languageId ?? '', problem, place: range === undefined ? { path } : { path, lines: linesOf(range) } };
}

/** A selection that ends at the beginning of a line does not include that line. */
function linesOf({ start, end }: vscode.Range): readonly [number, number] {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return [start.line + 1, last + 1];
}

function isArgument(value: unknown): value is ActionArgument {
  return (
    typeof value === 'object' && value !== null && 'uri' in value && value.uri instanceof vscode.Uri && 'range' in value && value.range instanceof vscode.Range
  );
}
