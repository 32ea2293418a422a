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

/** A position in a document, as VS Code has it. */
export interface Spot {
  readonly line: number;
  readonly character: number;
}

/** The part of a VS Code document that is used. */
export interface PlaceDocument {
  readonly uri: { toString(): string };
  readonly languageId: string;
  readonly lineCount: number;
  readonly eol: number;
  lineAt(line: number): { readonly text: string };
  offsetAt(position: Spot): number;
}

/** Where something is typed. */
interface Typing {
  readonly position: Spot;
  /** Text and range of the selected IntelliSense item; `undefined` while the list is closed. */
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
