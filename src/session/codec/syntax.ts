/** Text that is not JSON, with the offset of the character where it stops to be. */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  constructor(
    readonly offset: number,
    problem: string,
  ) {
    super(problem);
  }
}

/** Deeper nesting is refused, as Go's decoder does. */
export const MAX_DEPTH = 10_000;

/** Character codes of the punctuation of JSON. */
export const JSON_CODES = {
  QUOTE: 0x22,
  BACKSLASH: 0x5c,
  COMMA: 0x2c,
  COLON: 0x3a,
  OPEN_LIST: 0x5b,
  CLOSE_LIST: 0x5d,
  OPEN_OBJECT: 0x7b,
  CLOSE_OBJECT: 0x7d,
} as const;

/** Character codes that may stand after a backslash, apart from `u`. */
export const SHORT_ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));

/** Tokens of JSON, to be matched at `lastIndex`. */
export const JSON_TOKENS = {
  escape: /\\u[0-9A-Fa-f]{4}/y,
  number: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y,
  word: /true|false|null/y,
} as const;
