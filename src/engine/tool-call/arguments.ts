import type { Plan, Tool } from '../../domain/tool/tool.js';
import { present } from '../../domain/present.js';
import { errorMessage } from '../../domain/errors.js';
import { JsonScanner, JsonSyntaxError } from '../../text/json-scanner.js';
import { bytesOf } from '../../text/pieced-text.js';

/** Longest raw arguments that are read, in characters. A model's answer is far below it. */
const MAX_ARGUMENT_CHARACTERS = 4 * 1024 * 1024;
/** Deepest nesting that is read: more overflows the stack of what later writes the arguments as JSON. */
const MAX_ARGUMENT_DEPTH = 200;

/** A patch without JSON around it, as Codex's `apply_patch` takes it (openai/codex, codex-rs/apply-patch/apply_patch_tool_instructions.md). */
const PATCH = /^\s*\*\*\* Begin Patch\r?\n[^]*\n\*\*\* End Patch\s*$/;

/** Raw arguments of a call, parsed or with the reason why not, as a message for the model. */
export type ParsedArguments =
  /** `text` is the JSON text of the object alone. */
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>>; readonly text: string }
  | {
      readonly ok: false;
      readonly problem: string;
      /** Value in place of an object, which a tool may understand: a list, or a patch as text. */
      readonly bare?: readonly unknown[] | string;
    };

/**
 * Reads the raw arguments of a call. They must be one JSON object; what models put around a whole one is taken off: a
 * byte-order mark, a Markdown fence, the quotes of a JSON string, and the list that it is alone in. JSON is taken as it is; what is
 * nearly JSON is repaired where {@link repairedJson} knows what it means, and what is cut off never is.
 */
export function parseArguments(raw: string): ParsedArguments {
  if (raw.length > MAX_ARGUMENT_CHARACTERS) {
    return { ok: false, problem: `they are ${raw.length} characters long, the limit is ${MAX_ARGUMENT_CHARACTERS}` };
  }
  const outer = readJson(unfenced(withoutMark(raw)));
  const read = 'value' in outer && typeof outer.value === 'string' ? readJson(unfenced(withoutMark(outer.value))) : outer;
  const inner = 'value' in read && Array.isArray(read.value) && read.value.length === 1 && isFilled(read.value[0]) ? onlyIn(read.value) : read;
  if ('value' in inner && isObject(inner.value)) return { ok: true, value: inner.value, text: inner.text };
  const problem = 'value' in outer ? 'they must be a JSON object' : outer.problem;
  if ('value' in read && Array.isArray(read.value) && read.value.every(saysSomething)) return { ok: false, problem, bare: read.value };
  const patch = PATCH.exec(unfenced(withoutMark(raw)))?.[0];
  return { ok: false, problem, ...present({ bare: patch }) };
}

function withoutMark(raw: string): string {
  return raw.startsWith('\uFEFF') ? raw.slice(1) : raw;
}

function onlyIn([value]: readonly unknown[]): { readonly value: unknown; readonly text: string } {
  return { value, text: JSON.stringify(value) };
}

/** A text without the Markdown fence around the whole of it. */
function unfenced(raw: string): string {
  if (!/^\s*```/.test(raw)) return raw;
  return /^\s*```[\w-]*[ \t]*\r?\n([^]*?)\r?\n?[ \t]*```\s*$/.exec(raw)?.[1] ?? raw;
}

/**
 * Escapes that JSON does not have and that another language reads as a character: JavaScript, Python, C, and shells, each of which
 * a model may have had in mind. The digits of `\x`, `\u`, and `\U` follow.
 */
const OF_OTHERS = /['`$0]|x[0-9a-fA-F]{2}|u\{[0-9a-fA-F]+\}|U[0-9a-fA-F]{8}/y;
/** An escape of JSON that stands for a character which a backslash and a letter could be, too. */
const OF_JSON = /[bfnrt\\]|u[0-9a-fA-F]{4}/y;
/** Characters behind a complete object that could be more of the arguments. */
const MORE = /["{}[\]]/;

/**
 * The JSON document that a text means which is nearly one, as far as one rule alone can say it:
 * a raw control character in a string is itself; a backslash that begins no escape is itself, in a string without any escape
 * that could be meant so, too; a comma before the end of a list or an object is too many; a value that comes twice is the same
 * one; words behind a value, without quotes or brackets, are no part of it.
 * @returns `undefined` where it could mean two things, or is cut off
 */
function repairedJson(text: string): string | undefined {
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
    // Invalid JSON is refused where it is parsed.
    return false;
  }
}

function readJson(text: string): { readonly value: unknown; readonly text: string } | { readonly problem: string } {
  const plain = parsed(text);
  const repaired = 'value' in plain || plain.isDeep ? undefined : repairedJson(text);
  const read = repaired === undefined ? plain : parsed(repaired);
  // An object without fields says nothing, so that what is around it may be what was meant.
  return 'value' in read && (Array.isArray(read.value) || isFilled(read.value)) ? read : plain;
}

type Parsed = { readonly value: unknown; readonly text: string } | { readonly problem: string; readonly isDeep: boolean };

function parsed(text: string): Parsed {
  if (depthOf(text) > MAX_ARGUMENT_DEPTH) return { problem: `they are nested deeper than ${MAX_ARGUMENT_DEPTH} levels`, isDeep: true };
  try {
    return { value: JSON.parse(text) as unknown, text };
  } catch (error) {
    return { problem: `they are not valid JSON (${errorMessage(error)})`, isDeep: false };
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isFilled(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0;
}

function saysSomething(value: unknown): boolean {
  return typeof value === 'string' || isFilled(value);
}

/** The deepest nesting of lists and objects, as far as the text is JSON. */
function depthOf(raw: string): number {
  const scanner = new JsonScanner(bytesOf(raw));
  try {
    scanner.skip();
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  return scanner.deepest;
}

/** The arguments that a hook gave for a call, as the tool takes them that was called: hooks get the call that one makes which calls others. */
export function wholeArguments({ spec }: Tool, { tool }: Plan, args: unknown): unknown {
  return spec.deferral === 'caller' ? { name: tool, arguments: args } : args;
}
