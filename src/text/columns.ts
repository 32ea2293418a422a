/** Characters that take two columns in an editor: those of East Asia, and emoji. */
const WIDE = /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/u;

/** Lines as nearly all are: each character takes a column. */
const PLAIN = /^[\x20-\x7E]*$/;

/** Width of a line in an editor, in columns. */
export function columnsOf(line: string, tabSize: number): number {
  if (PLAIN.test(line)) return line.length;
  let columns = 0;
  for (const character of line) columns += character === '\t' ? tabSize - (columns % tabSize) : WIDE.test(character) ? 2 : 1;
  return columns;
}

/** A line with its tabs written as spaces. */
export function withoutTabs(line: string, tabSize: number): string {
  if (!line.includes('\t')) return line;
  let text = '';
  for (const piece of line.split(/(\t)/)) text += piece === '\t' ? ' '.repeat(tabSize - (columnsOf(text, tabSize) % tabSize)) : piece;
  return text;
}

/** Lines without the indentation that all of them share; blank ones do not count. */
export function dedented(lines: readonly string[]): readonly string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const shared = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map((line) => line.slice(Math.min(shared, line.length - line.trimStart().length)));
}

const WORD = /[\p{L}\p{N}_$]/u;

/**
 * Offset of a name on a line, from 0; `undefined` when it is not there. A whole word is preferred to a part
 * of one. Of a dotted name, such as `gate.answer`, the place is that of its last part.
 */
export function columnOf(line: string, name: string): number | undefined {
  const places = [...allPlaces(line, name)];
  const start = places.find((place) => isWhole(line, place, name)) ?? places[0];
  return start === undefined ? undefined : start + Math.max(name.lastIndexOf('.'), name.lastIndexOf(':')) + 1;
}

function* allPlaces(line: string, name: string): Generator<number> {
  if (name === '') return;
  for (let place = line.indexOf(name); place >= 0; place = line.indexOf(name, place + 1)) yield place;
}

function isWhole(line: string, place: number, name: string): boolean {
  return !WORD.test(line.charAt(place - 1)) && !WORD.test(line.charAt(place + name.length));
}
