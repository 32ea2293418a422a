import { errorMessage } from '../../domain/errors.js';
import { JsonScanner, JsonSyntaxError } from '../../text/json-scanner.js';
import { bytesOf } from '../../text/pieced-text.js';
import { repairedJson } from './repaired-json.js';

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
      /** What is there in place of an object, where a tool may know what it means: a list, or a patch as text. */
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
  return { ok: false, problem, ...(patch === undefined ? {} : { bare: patch }) };
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
