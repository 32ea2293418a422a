import { errorMessage } from '../../domain/errors.js';
import { JsonScanner, JsonSyntaxError } from '../../text/json-scanner.js';
import { bytesOf } from '../../text/pieced-text.js';

/** Longest raw arguments that are read, in characters. A model's answer is far below it. */
const MAX_ARGUMENT_CHARACTERS = 4 * 1024 * 1024;
/** Deepest nesting that is read: more overflows the stack of what later writes the arguments as JSON. */
const MAX_ARGUMENT_DEPTH = 200;

/** Raw arguments of a call, parsed or with the reason why not, as a message for the model. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/** Reads the raw arguments of a call. They must be one JSON object; nothing is repaired. */
export function parseArguments(raw: string): ParsedArguments {
  if (raw.length > MAX_ARGUMENT_CHARACTERS) {
    return { ok: false, problem: `they are ${raw.length} characters long, the limit is ${MAX_ARGUMENT_CHARACTERS}` };
  }
  if (depthOf(raw) > MAX_ARGUMENT_DEPTH) return { ok: false, problem: `they are nested deeper than ${MAX_ARGUMENT_DEPTH} levels` };
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    return { ok: false, problem: `they are not valid JSON (${errorMessage(error)})` };
  }
  if (!isObject(value)) return { ok: false, problem: 'they must be a JSON object' };
  return { ok: true, value };
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
