/**
 * Escapes that JSON does not have and that another language reads as a character: JavaScript, Python, C, and shells, each of which
 * a model may have had in mind. The digits of `\x`, `\u`, and `\U` follow.
 */
const OF_OTHERS = /['`$0]|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|U[0-9a-fA-F]{8}/y;
/** An escape of JSON that stands for a character which a backslash and a letter could be, too. */
const OF_JSON = /[bfnrt\\]|u[0-9a-fA-F]{4}/y;
/** What could be more of the arguments, behind a whole object. */
const MORE = /["{}[\]]/;

/**
 * The JSON document that a text means which is nearly one, as far as one rule alone can say it:
 * a raw control character in a string is itself; a backslash that begins no escape is itself, in a string without any escape
 * that could be meant so, too; a comma before the end of a list or an object is too many; a value that comes twice is the same
 * one; words behind a value, without quotes or brackets, are no part of it.
 * @returns `undefined` where it could mean two things, or is cut off
 */
export function repairedJson(text: string): string | undefined {
  const first = documentAt(text, 0);
  if (first === undefined) return undefined;
  let rest = text.slice(first.end).trimStart();
  while (/^[{[]/.test(rest)) {
    const again = documentAt(rest, 0);
    if (again === undefined || !isSame(first.json, again.json)) return undefined;
    rest = rest.slice(again.end).trimStart();
  }
  return MORE.test(rest) ? undefined : first.json;
}

interface Found {
  readonly json: string;
  /** Where it ends in the text. */
  readonly end: number;
}

/** The list or object that begins at a place, with its strings and commas put right. It may still be no JSON. */
function documentAt(text: string, start: number): Found | undefined {
  const out: string[] = [];
  let depth = 0;
  /** The last character that is no space. */
  let last = '';
  let at = start + (/^\s*/.exec(text.slice(start, start + 1_000))?.[0].length ?? 0);
  if (!/[{[]/.test(text.charAt(at))) return undefined;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === '"') {
      const string = stringAt(text, at);
      if (string === undefined) return undefined;
      out.push(string.json);
      last = char;
      at = string.end;
      continue;
    }
    at += 1;
    if (char === '{' || char === '[') depth += 1;
    if (char === '}' || char === ']') depth -= 1;
    const isTooMany = char === ',' && !/[{[,]/.test(last) && closesNext(text, at);
    if (!isTooMany) out.push(char);
    if (/\S/.test(char)) last = char;
    if (depth === 0) return { json: out.join(''), end: at };
  }
  return undefined;
}

const CLOSING = /\s*[}\]]/y;

/** Whether nothing but the end of a list or an object follows. */
function closesNext(text: string, at: number): boolean {
  CLOSING.lastIndex = at;
  return CLOSING.test(text);
}

/** The string that begins at a place, with what is in it escaped; `undefined` for one that could mean two things. */
function stringAt(text: string, start: number): Found | undefined {
  const out: string[] = ['"'];
  let isLiteral = false;
  let isEscaped = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') return isLiteral && isEscaped ? undefined : { json: `${out.join('')}"`, end: at + 1 };
    if (char < ' ') {
      out.push(JSON.stringify(char).slice(1, -1));
    } else if (char !== '\\') {
      out.push(char);
    } else if (/["/]/.test(text.charAt(at + 1))) {
      at += 1;
      out.push(char, text.charAt(at));
    } else if (matchesAt(OF_JSON, text, at + 1)) {
      isEscaped = true;
      at += 1;
      out.push(char, text.charAt(at));
    } else {
      // Before the end of the line it may also only continue it.
      if (text.charAt(at + 1) < ' ' || matchesAt(OF_OTHERS, text, at + 1)) return undefined;
      isLiteral = true;
      out.push('\\\\');
    }
  }
  return undefined;
}

function matchesAt(what: RegExp, text: string, at: number): boolean {
  what.lastIndex = at;
  return what.test(text);
}

function isSame(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other));
  } catch {
    // What is no JSON is refused by whoever reads it.
    return false;
  }
}
