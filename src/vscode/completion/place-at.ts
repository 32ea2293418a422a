import * as vscode from 'vscode';
import type { Place } from '../../completion/place.js';
import { PREFIX_CHARACTERS, SUFFIX_CHARACTERS } from '../../completion/place.js';
import { displayPath } from '../mentions/workspace-paths.js';

/** What the list of IntelliSense would put in, and in the place of what. */
export type Selected = vscode.SelectedCompletionInfo;

/**
 * The place of a position. While the list of IntelliSense is open, it is the one behind what is selected there, as VS Code shows
 * nothing else then.
 */
export function placeAt(document: vscode.TextDocument, position: vscode.Position, selected: Selected | undefined): Place {
  const start = selected?.range.start ?? position;
  const end = selected?.range.end ?? position;
  const chosen = selected?.text ?? '';
  const before = textBefore(document, start) + normal(chosen);
  return {
    document: document.uri.toString(),
    path: document.uri.scheme === 'file' ? displayPath(document.uri) : document.uri.path,
    language: document.languageId,
    offset: offsetOf(document, start) + normal(chosen).length,
    prefix: before.slice(-PREFIX_CHARACTERS),
    suffix: textBehind(document, end),
  };
}

/** The text before a position, line by line, until there is enough. */
function textBefore(document: vscode.TextDocument, { line, character }: vscode.Position): string {
  const parts = [document.lineAt(line).text.slice(0, character)];
  let length = character;
  for (let above = line - 1; above >= 0 && length < PREFIX_CHARACTERS; above -= 1) {
    const { text } = document.lineAt(above);
    parts.push(text);
    length += text.length + 1;
  }
  return parts.reverse().join('\n').slice(-PREFIX_CHARACTERS);
}

function textBehind(document: vscode.TextDocument, { line, character }: vscode.Position): string {
  const parts = [document.lineAt(line).text.slice(character)];
  let length = parts[0]?.length ?? 0;
  for (let below = line + 1; below < document.lineCount && length < SUFFIX_CHARACTERS; below += 1) {
    const { text } = document.lineAt(below);
    parts.push(text);
    length += text.length + 1;
  }
  return parts.join('\n').slice(0, SUFFIX_CHARACTERS);
}

/** Characters before a position, where each line ending counts as one. */
function offsetOf(document: vscode.TextDocument, position: vscode.Position): number {
  return document.offsetAt(position) - (document.eol === vscode.EndOfLine.CRLF ? position.line : 0);
}

function normal(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
