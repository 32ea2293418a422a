import { errorMessage } from '../../domain/errors.js';
import { JsonScanner, JsonSyntaxError } from '../../text/json-scanner.js';
import { bytesOf } from '../../text/pieced-text.js';

/** Longest raw arguments that are read, in characters. A model's answer is far below it. */
const MAX_ARGUMENT_CHARACTERS = 4 * 1024 * 1024;
/** Deepest nesting that is read: more overflows the stack of what later writes the arguments as JSON. */
const MAX_ARGUMENT_DEPTH = 200;

/** Raw arguments of a call, parsed or with the reason why not, as a message for the model. */
export type ParsedArguments =
  /** `text` is the JSON text of the object alone. */
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>>; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the raw arguments of a call. They must be one JSON object; what models put around a whole one is taken off: a
 * Markdown fence, and the quotes of a JSON string. What is cut off or malformed is never repaired.
 */
export function parseArguments(raw: string): ParsedArguments {
  if (raw.length > MAX_ARGUMENT_CHARACTERS) {
    return { ok: false, problem: `they are ${raw.length} characters long, the limit is ${MAX_ARGUMENT_CHARACTERS}` };
  }
  const outer = readJson(unfenced(raw));
  const inner = 'value' in outer && typeof outer.value === 'string' ? readJson(unfenced(outer.value)) : outer;
  if ('value' in inner && isObject(inner.value)) return { ok: true, value: inner.value, text: inner.text };
  return { ok: false, problem: 'value' in outer ? 'they must be a JSON object' : outer.problem };
}

/** A text without the Markdown fence around the whole of it. */
function unfenced(raw: string): string {
  if (!/^\s*```/.test(raw)) return raw;
  return /^\s*```[\w-]*[ \t]*\r?\n([^]*?)\r?\n?[ \t]*```\s*$/.exec(raw)?.[1] ?? raw;
}

function readJson(text: string): { readonly value: unknown; readonly text: string } | { readonly problem: string } {
  if (depthOf(text) > MAX_ARGUMENT_DEPTH) return { problem: `they are nested deeper than ${MAX_ARGUMENT_DEPTH} levels` };
  try {
    return { value: JSON.parse(text) as unknown, text };
  } catch (error) {
    return { problem: `they are not valid JSON (${errorMessage(error)})` };
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
