/** A secret that was left out, and how long it was. */
export interface LeftOut {
  /** Its length in characters. */
  readonly characters: number;
}

/** Text of a request, in pieces: what was sent, and places where a secret was. Put together without a separator. */
export type SentText = readonly (string | LeftOut)[];

/** Characters from which on a known secret is looked for within other text; shorter ones could be any word. */
export const MIN_WITHIN = 8;
/** Characters of base64 that a secret must leave there for sure to be looked for. */
const MIN_ENCODED = 8;

/** A place in a text: the offsets of its first character and of the one behind its last. */
type Place = readonly [start: number, end: number];

/**
 * A text without known secrets, however they are written in it: as they are, with the escapes of JSON (also of JSON within JSON),
 * percent-encoded, and in base64 and base64url, alone or as a part of something longer, as in `Basic` with a user before them.
 * Takes a time in proportion to the text.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): SentText {
  const pieces: (string | LeftOut)[] = [];
  let copied = 0;
  for (const [start, end] of joined(placesOf(text, secrets))) {
    pieces.push(text.slice(copied, start), { characters: end - start });
    copied = end;
  }
  return [...pieces, text.slice(copied)];
}

/** Whether a text contains a known secret in one of these ways. */
export function containsSecret(text: string, secrets: readonly string[]): boolean {
  return placesOf(text, secrets).length > 0;
}

function placesOf(text: string, secrets: readonly string[]): readonly Place[] {
  const known = [...new Set(secrets)].filter(({ length }) => length >= MIN_WITHIN);
  if (known.length === 0) return [];
  const plain = reading(text);
  // The letters of base64 that base64url writes in another way are one here.
  const encoded = plain.text.replace(/-/g, ' ').replace(/_/g, '/');
  return known.flatMap((secret) => {
    const ends = secret.endsWith('\\') ? plain.own : plain.offsets;
    // A percent sign of the secret itself is resolved where it stands as it is, and not where each of its characters was encoded.
    const readings = new Set([reading(secret).text, reading(secret, false).text].filter(({ length }) => length >= MIN_WITHIN));
    const asText = [...readings].flatMap((written) =>
      occurrences(plain.text, written).map((at): Place => [plain.offsets[at] ?? 0, ends[at + written.length] ?? text.length]),
    );
    const asBase64 = inBase64(secret).flatMap((letters) =>
      occurrences(encoded, letters).map((at) => withEdges(text, [plain.offsets[at] ?? 0, plain.offsets[at + letters.length] ?? text.length])),
    );
    return [...asText, ...asBase64];
  });
}

/** The places in order, those that touch or overlap as one. */
function joined(places: readonly Place[]): readonly Place[] {
  const all: Place[] = [];
  for (const [start, end] of places.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last !== undefined && start < last[1]) all[all.length - 1] = [last[0], Math.max(last[1], end)];
    else all.push([start, end]);
  }
  return all;
}

function occurrences(text: string, part: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

/** What escapes of JSON write as a letter behind a backslash. */
const CONTROLS: ReadonlyMap<number, string> = new Map([
  [0x08, 'b'],
  [0x09, 't'],
  [0x0a, 'n'],
  [0x0c, 'f'],
  [0x0d, 'r'],
]);

/**
 * A text in the one spelling for all ways to write it, a character for each of its bytes in UTF-8: without backslashes, with escapes
 * resolved however often they were escaped, and with `+` as the space that it is in forms.
 */
interface Reading {
  readonly text: string;
  /** Where in the original each of its characters begins, with the backslashes before it, and last the end of the original. */
  readonly offsets: Uint32Array;
  /** The same without the backslashes. */
  readonly own: Uint32Array;
}

/** @param resolves whether percent signs are resolved */
function reading(original: string, resolves = true): Reading {
  const most = Buffer.byteLength(original);
  const [bytes, offsets, own] = [Buffer.alloc(most), new Uint32Array(most + 1), new Uint32Array(most + 1)];
  let length = 0;
  let skipped: number | undefined;
  const add = (byte: number, begin: number, at: number): void => {
    const start = skipped ?? begin;
    skipped = byte === 0x5c ? start : undefined;
    if (skipped !== undefined) return;
    own[length] = at;
    bytes[length] = CONTROLS.get(byte)?.charCodeAt(0) ?? (byte === 0x2b ? 0x20 : byte);
    offsets[length] = start;
    length += 1;
  };
  for (let at = 0; at < original.length;) {
    const start = at;
    while (original[at] === '\\') at += 1;
    const { units, end } = at > start ? (unitsOf(original, at) ?? nextOf(original, at)) : nextOf(original, at);
    const percent = resolves && original[at] === '%' ? percentByte(original, at) : undefined;
    if (percent !== undefined) add(percent.byte, start, at);
    else if (/^[\0-\x7f]?$/.test(units)) for (const unit of [units].filter((each) => each !== '')) add(unit.charCodeAt(0), start, at);
    else for (const byte of Buffer.from(units)) add(byte, start, at);
    at = percent?.end ?? end;
  }
  offsets[length] = skipped ?? original.length;
  own[length] = original.length;
  return { text: bytes.toString('latin1', 0, length), offsets, own };
}

/** The next character as it stands there; empty at the end. */
function nextOf(text: string, at: number): { readonly units: string; readonly end: number } {
  const code = text.codePointAt(at);
  const units = code === undefined ? '' : String.fromCodePoint(code);
  return { units, end: Math.max(at + units.length, at + (code === undefined ? 1 : 0)) };
}

/** The character of a code behind backslashes, of two where it takes two; `undefined` for anything else. */
function unitsOf(text: string, at: number): { readonly units: string; readonly end: number } | undefined {
  const first = codeAt(text, at);
  if (first === undefined) return undefined;
  let next = at + 5;
  while (text[next] === '\\') next += 1;
  const second = next > at + 5 && first >= 0xd800 && first <= 0xdbff ? codeAt(text, next) : undefined;
  return second === undefined ? { units: String.fromCharCode(first), end: at + 5 } : { units: String.fromCharCode(first, second), end: next + 5 };
}

function codeAt(text: string, at: number): number | undefined {
  const code = text[at] === 'u' ? text.slice(at + 1, at + 5) : '';
  return /^[\da-f]{4}$/i.test(code) ? Number.parseInt(code, 16) : undefined;
}

/** The byte that a percent sign begins, however often it was encoded. */
function percentByte(text: string, at: number): { readonly byte: number; readonly end: number } | undefined {
  const isByte = (from: number): boolean => /^[\da-f]{2}$/i.test(text.slice(from, from + 2));
  let digits = at + 1;
  while (text.startsWith('25', digits) && isByte(digits + 2)) digits += 2;
  return isByte(digits) ? { byte: Number.parseInt(text.slice(digits, digits + 2), 16), end: digits + 2 } : undefined;
}

/**
 * The characters that a secret becomes for sure in base64, for each of the three places where it may begin in a group of three bytes.
 * Those at the edges also depend on what is beside it.
 */
function inBase64(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const sure = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(first, last);
    return sure.length < MIN_ENCODED ? [] : [sure.replaceAll('+', ' ')];
  });
}

/** A place of base64 with the characters at its edges, which also hold bits of the secret. */
function withEdges(text: string, [start, end]: Place): Place {
  const before = /[\w+/-]{0,2}$/.exec(text.slice(Math.max(0, start - 2), start))?.[0] ?? '';
  const behind = /^(?:[\w+/-]|(?:=|%(?:25){0,4}3d)){0,3}/i.exec(text.slice(end, end + 60))?.[0] ?? '';
  return [start - before.length, end + behind.length];
}
