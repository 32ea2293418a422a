import { errorMessage } from '../../domain/errors.js';

/** Longest raw arguments that are read, in characters. A model's answer is far below it. */
const MAX_ARGUMENT_CHARACTERS = 4 * 1024 * 1024;
/** Deepest nesting that is read: more overflows the stack of what later writes the arguments as JSON. */
const MAX_ARGUMENT_DEPTH = 200;

/** Raw arguments of a call, read or with the reason why not, in words for the model. */
export type ParsedArguments =
  | { readonly ok: true; readonly value: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problem: string };

/** Reads the raw arguments of a call. They must be one JSON object; nothing is repaired (stream-05, stream-16). */
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

/** The deepest nesting of brackets outside strings, in one pass whatever the text. */
function depthOf(raw: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < raw.length; at += 1) {
    switch (raw.charCodeAt(at)) {
      case QUOTE:
        at = endOfString(raw, at);
        break;
      case BRACKET:
      case BRACE:
        depth += 1;
        if (depth > deepest) deepest = depth;
        break;
      case BRACKET_END:
      case BRACE_END:
        depth -= 1;
        break;
    }
  }
  return deepest;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE, BRACKET_END, BRACE_END] = [0x22, 0x5c, 0x5b, 0x7b, 0x5d, 0x7d] as const;

/** Where the string ends that begins at a quote: most of long arguments is in strings, so they are leapt over. */
function endOfString(raw: string, start: number): number {
  for (let end = raw.indexOf('"', start + 1); end >= 0; end = raw.indexOf('"', end + 1)) {
    let escapes = 0;
    while (end - escapes - 1 > start && raw.charCodeAt(end - escapes - 1) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return raw.length;
}
