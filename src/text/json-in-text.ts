/** Longest text that is read, in characters; answers of models are far below it. */
const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Deepest nesting that is read: more overflows the stack of what checks it. */
const MAX_DEPTH = 200;
/** Brackets in a text at which a value is looked for. */
const MAX_STARTS = 20;

/** The JSON values in a text, or the reason why the whole of it is not JSON. */
export interface JsonInText {
  /** The whole text if it is one, then those in Markdown fences, then lists and objects among other words; the same may come twice. */
  readonly values: readonly unknown[];
  /** Why the whole text is no value; `undefined` where it is one. */
  readonly problem: string | undefined;
}

/** Finds JSON in what a model wrote, which puts fences and words around it although it was asked not to. Takes time in proportion to the length. */
export function jsonInText(text: string): JsonInText {
  if (text.length > MAX_CHARACTERS) return { values: [], problem: `it is ${text.length} characters long, the limit is ${MAX_CHARACTERS}` };
  const plain = text.replace(/^\uFEFF/, '').trim();
  const whole = parsed(plain);
  if (!('problem' in whole)) return { values: [whole.value], problem: undefined };
  const values = [...fenced(plain), ...bracketed(plain)].flatMap((part) => {
    const inner = parsed(part);
    return 'problem' in inner ? [] : [inner.value];
  });
  return { values, problem: whole.problem };
}

function parsed(text: string): { readonly value: unknown } | { readonly problem: string } {
  if (text === '') return { problem: 'it is empty' };
  try {
    const value: unknown = JSON.parse(text);
    return isDeep(value, MAX_DEPTH) ? { problem: `it is nested deeper than ${MAX_DEPTH} levels` } : { value };
  } catch (error) {
    return { problem: `it is not JSON (${error instanceof Error ? error.message : String(error)})` };
  }
}

function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return left === 0 || Object.values(value).some((each) => isDeep(each, left - 1));
}

function fenced(text: string): readonly string[] {
  return [...text.matchAll(/```[^\n`]*\n([^]*?)```/g)].map(([, inside = '']) => inside.trim());
}

/** Lists and objects from their first bracket to the one that closes it. */
function bracketed(text: string): readonly string[] {
  const found: string[] = [];
  const brackets = /[[{]/g;
  for (let start = 0; start < MAX_STARTS; start += 1) {
    const at = brackets.exec(text)?.index;
    if (at === undefined) break;
    const end = closing(text, at);
    if (end === undefined) continue;
    found.push(text.slice(at, end));
    // What is within it is a part of it. Words in brackets are not JSON, but do not hide the JSON behind them.
    brackets.lastIndex = end;
  }
  return found;
}

/** The place behind the bracket that closes the one at a place; brackets in strings do not count. */
function closing(text: string, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/** The place of the quote that ends a string; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at += 1;
  }
  return text.length;
}
