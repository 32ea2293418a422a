import { formatNumber, t } from '../../domain/l10n.js';

/** Characters from which on encoded data is folded. */
const FOLDED_FROM = 1_000;
/** Data in base64, with the beginning of a data address where it is one. */
const ENCODED = /^(data:[\w.+/-]{1,100};base64,)?([A-Za-z0-9+/_-]+={0,2})$/;
const INDENT = '  ';

/** Characters between the tokens of a JSON document. */
const SEPARATORS = '{}[],:" \t\r\n';

/** Data in base64 that is long enough to be folded: what precedes it, and how long it is in characters. `undefined` for any other text. */
export function encodedData(text: string): { readonly before: string; readonly characters: number } | undefined {
  if (text.length <= FOLDED_FROM) return undefined;
  const [, before = '', data] = ENCODED.exec(text) ?? [];
  return data === undefined ? undefined : { before, characters: data.length };
}

/**
 * A JSON document over several lines, with long data in base64 folded into a mark. Every other character of its strings and
 * numbers stays as it is, which is why it is not parsed: a parser would round long numbers and unify escapes. What is no
 * JSON comes out as some text, never as an error.
 */
export function formatBody(json: string): string {
  const out: string[] = [];
  let depth = 0;
  for (let at = 0; at < json.length;) {
    const token = tokenAt(json, at);
    at += token.length;
    switch (token) {
      case '{':
      case '[': {
        const rest = /\S/.exec(json.slice(at, at + 100));
        const closed = rest?.[0] === '}' || rest?.[0] === ']';
        if (closed) at += rest.index + 1;
        else depth += 1;
        out.push(token, closed ? rest[0] : newLine(depth));
        break;
      }
      case '}':
      case ']':
        depth = Math.max(0, depth - 1);
        out.push(newLine(depth), token);
        break;
      case ',':
        out.push(token, newLine(depth));
        break;
      case ':':
        out.push(': ');
        break;
      default:
        if (token.trim() !== '') out.push(folded(token));
    }
  }
  return out.join('');
}

function newLine(depth: number): string {
  return `\n${INDENT.repeat(depth)}`;
}

/** The string, separator, or other value that begins at a place. */
function tokenAt(json: string, start: number): string {
  const first = json.charAt(start);
  if (first === '"') return json.slice(start, endOfString(json, start));
  if (SEPARATORS.includes(first)) return first;
  let end = start + 1;
  while (end < json.length && !SEPARATORS.includes(json.charAt(end))) end += 1;
  return json.slice(start, end);
}

/** Where a string ends, behind its closing quote: the first one that is not escaped. */
function endOfString(json: string, start: number): number {
  for (let quote = json.indexOf('"', start + 1); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let escapes = 0;
    while (json.charAt(quote - 1 - escapes) === '\\') escapes += 1;
    if (escapes % 2 === 0) return quote + 1;
  }
  return json.length;
}

function folded(token: string): string {
  const data = token.startsWith('"') ? encodedData(token.slice(1, -1)) : undefined;
  return data === undefined ? token : `"${data.before}‹${t('base64: {0} characters', formatNumber(data.characters))}›"`;
}
