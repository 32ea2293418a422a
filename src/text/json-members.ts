import { type Edit, type Node, applyEdits, createScanner } from 'jsonc-parser';

// Own code and not `modify` of jsonc-parser: that takes the comments beside what it removes along, puts what it adds before the comment of its
// neighbor, and breaks what is on one line into several.

/** A comma among the tokens of the scanner: the library has them as an enumeration that exists only for its own compiler. */
const COMMA = 5;
const DEFAULT_INDENT = '  ';

/** Member to add to an object or a list: a value, in an object with its name. */
export interface NewMember {
  readonly name?: string;
  readonly value: unknown;
}

/**
 * Adds members at the end of an object or a list of JSON that has no syntax error. Everything else stays as it is, comments, indentation, and
 * line endings included; what is added is written like its neighbors.
 * @param container of the tree that was made from this text
 */
export function withMembers(text: string, container: Node, members: readonly NewMember[]): string {
  const close = container.offset + container.length - 1;
  const last = container.children?.at(-1);
  const end = container.offset + 1 + text.slice(container.offset + 1, close).trimEnd().length;
  const comma = last === undefined ? undefined : commaBehind(text, last, close);
  const edits: Edit[] = [];
  if (isOnOneLine(text, { last, end, close })) {
    const added = members.map((member) => memberText(member)).join(', ');
    const blank = end === container.offset + 1 ? '' : ' ';
    edits.push({
      offset: end,
      length: last === undefined ? close - end : 0,
      content: `${last === undefined || comma !== undefined ? '' : ','}${blank}${added}${comma === undefined ? '' : ','}`,
    });
    return applyEdits(text, edits);
  }
  const eol = lineBreakOf(text);
  const style = { eol, indent: memberIndent(text, container), unit: indentUnit(text, container) };
  const added = members.map((member) => `${eol}${style.indent}${memberText(member, style)}`).join(',');
  if (last !== undefined && comma === undefined) edits.push({ offset: last.offset + last.length, length: 0, content: ',' });
  const closing = /[\r\n]/.test(text.slice(end, close)) ? undefined : `${eol}${indentOfLine(text, container.offset)}`;
  edits.push({ offset: end, length: closing === undefined ? 0 : close - end, content: `${added}${comma === undefined ? '' : ','}${closing ?? ''}` });
  return applyEdits(text, edits);
}

/**
 * Removes an element of a list of JSON that has no syntax error; it must be on one line, as a string is. Comments stay, except one behind the
 * element where both have the line for themselves.
 * @param list of the tree that was made from this text
 */
export function withoutElement(text: string, list: Node, element: Node): string {
  const close = list.offset + list.length - 1;
  const [start, end] = [element.offset, element.offset + element.length];
  const before = (list.children ?? []).filter(({ offset }) => offset < start).at(-1);
  const behind = commaBehind(text, element, close);
  const left = [behind, behind === undefined && before !== undefined ? commaBehind(text, before, start) : undefined].filter((offset) => offset !== undefined);
  const around = [text.slice(list.offset + 1, start), text.slice(end, close)].join('').replace(',', '');
  if (before === undefined && around.trim() === '') return applyEdits(text, [{ offset: list.offset + 1, length: close - list.offset - 1, content: '' }]);
  const line = ownLine(text, { start, end, close, comma: behind });
  const gone = line ?? (behind === undefined ? blanksBefore(text, start, end) : blanksBehind(text, start, end, behind));
  const commas = left.filter((offset) => offset < gone.start || offset >= gone.end).map((offset) => ({ offset, length: 1, content: '' }));
  return applyEdits(text, [...commas, { offset: gone.start, length: gone.end - gone.start, content: '' }]);
}

/** The line break that a text uses first. */
export function lineBreakOf(text: string): string {
  return /\r\n|\n|\r/.exec(text)?.[0] ?? '\n';
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The line of an element with its break, where nothing else is in it but its comma and one comment behind. */
function ownLine(text: string, { start, end, close, comma }: Span & { readonly close: number; readonly comma: number | undefined }): Span | undefined {
  const from = lineStart(text, start);
  const found = /\r\n|\n|\r/.exec(text.slice(end));
  if (found === null || end + found.index >= close || text.slice(from, start).trim() !== '') return undefined;
  const to = end + found.index;
  const rest = (comma === undefined || comma >= to ? text.slice(end, to) : `${text.slice(end, comma)} ${text.slice(comma + 1, to)}`).trim();
  return rest === '' || /^(?:\/\/.*|\/\*(?:(?!\*\/).)*\*\/)$/.test(rest) ? { start: from, end: to + found[0].length } : undefined;
}

/** The first element of what is on one line, or one in its middle, with the blanks behind its comma; up to a comment before the comma. */
function blanksBehind(text: string, start: number, end: number, comma: number): Span {
  const isNext = text.slice(end, comma).trim() === '';
  const after = isNext ? comma + 1 : end;
  return { start, end: after + (/^[ \t]*/.exec(text.slice(after))?.[0].length ?? 0) };
}

/** The last element of what is on one line, with the blanks before it. */
function blanksBefore(text: string, start: number, end: number): Span {
  return { start: start - (/[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0), end };
}

/** Where the comma behind a member is; comments may be between. */
function commaBehind(text: string, member: Node, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(member.offset + member.length);
  const token: number = scanner.scan();
  return token === COMMA && scanner.getTokenOffset() < end ? scanner.getTokenOffset() : undefined;
}

/** Whether members stand behind each other. An empty pair of brackets takes lines of its own, unless the whole text is on one. */
function isOnOneLine(text: string, { last, end, close }: { readonly last: Node | undefined; readonly end: number; readonly close: number }): boolean {
  if (last !== undefined) return !/[\r\n]/.test(text.slice(last.offset, close));
  return !/[\r\n]/.test(text.trim()) && text.slice(0, end).trim().length > 1;
}

function memberText({ name, value }: NewMember, style?: { readonly eol: string; readonly indent: string; readonly unit: string }): string {
  const json = style === undefined ? JSON.stringify(value) : JSON.stringify(value, undefined, style.unit).replaceAll('\n', `${style.eol}${style.indent}`);
  return name === undefined ? json : `${JSON.stringify(name)}: ${json}`;
}

/** The indentation of the members of a container: that of the last one that begins a line. */
function memberIndent(text: string, container: Node): string {
  return indentOfMember(text, container) ?? `${indentOfLine(text, container.offset)}${indentUnit(text, container)}`;
}

/** Indentation unit of a text: the indentation of the members of its outermost object. */
function indentUnit(text: string, node: Node): string {
  let root = node;
  while (root.parent !== undefined) root = root.parent;
  const unit = indentOfMember(text, root);
  return unit === undefined || unit === '' ? DEFAULT_INDENT : unit;
}

function indentOfMember(text: string, container: Node): string | undefined {
  const member = (container.children ?? []).findLast(({ offset }) => text.slice(lineStart(text, offset), offset).trim() === '');
  return member === undefined ? undefined : indentOfLine(text, member.offset);
}

function indentOfLine(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}
