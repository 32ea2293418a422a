import { type Place, PREFIX_CHARACTERS, SUFFIX_CHARACTERS } from './place.js';

/** A position in a document, as VS Code has it. */
export interface Spot {
  readonly line: number;
  readonly character: number;
}

/** What is read of a document of VS Code. */
export interface PlaceDocument {
  readonly uri: { toString(): string };
  readonly languageId: string;
  readonly lineCount: number;
  readonly eol: number;
  lineAt(line: number): { readonly text: string };
  offsetAt(position: Spot): number;
}

/** Where something is typed. */
export interface Typing {
  readonly position: Spot;
  /** What the list of IntelliSense would put in, and in the place of what; `undefined` while it is closed. */
  readonly selected: { readonly range: { readonly start: Spot; readonly end: Spot }; readonly text: string } | undefined;
  /** Path of the document in the prompt. */
  readonly path: string;
}

/** `vscode.EndOfLine.CRLF`, which is no more than a type here. */
const CRLF = 2;

/**
 * The place of a position. While the list of IntelliSense is open, it is the one behind what is selected there, as VS Code shows
 * nothing else then.
 */
export function placeAt(document: PlaceDocument, { position, selected, path }: Typing): Place {
  const start = selected?.range.start ?? position;
  const end = selected?.range.end ?? position;
  const chosen = (selected?.text ?? '').replace(/\r\n?/g, '\n');
  return {
    document: document.uri.toString(),
    path,
    language: document.languageId,
    offset: offsetOf(document, start) + chosen.length,
    prefix: (textBefore(document, start) + chosen).slice(-PREFIX_CHARACTERS),
    suffix: textBehind(document, end),
  };
}

/** The text before a position, line by line, until there is enough. */
function textBefore(document: PlaceDocument, { line, character }: Spot): string {
  const parts = [document.lineAt(line).text.slice(0, character)];
  let length = character;
  for (let above = line - 1; above >= 0 && length < PREFIX_CHARACTERS; above -= 1) {
    const { text } = document.lineAt(above);
    parts.push(text);
    length += text.length + 1;
  }
  return parts.reverse().join('\n').slice(-PREFIX_CHARACTERS);
}

function textBehind(document: PlaceDocument, { line, character }: Spot): string {
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
function offsetOf(document: PlaceDocument, position: Spot): number {
  return document.offsetAt(position) - (document.eol === CRLF ? position.line : 0);
}
