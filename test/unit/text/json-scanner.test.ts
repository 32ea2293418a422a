import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonScanner, JsonSyntaxError } from '../../../src/text/json-scanner.js';
import { bytesOf } from '../../../src/text/pieced-text.js';
import { runs } from '../../support/runs.js';

/** JSON with white space, escapes and numbers of all forms; some of it is damaged. */
const number = fc.constantFrom('0', '-0', '12', '-3.50', '1e9', '2E-07', '123456789012345678901234567890', '1.0');
const string = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)),
  fc.constantFrom('""', String.raw`"\u00e9\/\""`, String.raw`"\\"`, String.raw`"\ud83d"`, '"é😀="'),
);
const space = fc.constantFrom('', ' ', '\n', ' \t\r\n');
const { value: json } = fc.letrec<{ value: string }>((tie) => {
  const spaced = fc.tuple(space, tie('value'), space).map((parts) => parts.join(''));
  const list = fc.tuple(fc.array(spaced, { maxLength: 4 }), space).map(([items, gap]) => (items.length === 0 ? `[${gap}]` : `[${items.join(',')}]`));
  const entry = fc.tuple(space, string, space, spaced).map(([before, key, gap, value]) => `${before}${key}${gap}:${value}`);
  const object = fc.tuple(fc.array(entry, { maxLength: 4 }), space).map(([entries, gap]) => (entries.length === 0 ? `{${gap}}` : `{${entries.join(',')}}`));
  return { value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constantFrom('true', 'false', 'null'), number, string, list, object) };
});
const damaged = fc
  .tuple(json, fc.nat(), fc.nat({ max: 3 }), fc.string({ unit: fc.constantFrom(...Array.from('"\\{}[],:u0.-+eEtrulfasnx \n/\x01é')), maxLength: 3 }))
  .map(([text, at, gone, more]) => text.slice(0, at % (text.length + 1)) + more + text.slice((at % (text.length + 1)) + gone));

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What a scanner takes of a text, or where and why it stops. */
function outcome<T>(text: string | Uint8Array, pieceSize: number | undefined, take: (scanner: JsonScanner) => T): T | string {
  const scanner = new JsonScanner(bytesOf(text), pieceSize);
  try {
    const taken = take(scanner);
    scanner.end();
    return taken;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return `${error.offset}: ${error.message}`;
  }
}

/** A value made by pulling. */
function build(scanner: JsonScanner): unknown {
  switch (String.fromCharCode(scanner.peek())) {
    case '{':
      return Object.fromEntries(Array.from(scanner.keys(), (key) => [key, build(scanner)]));
    case '[':
      return Array.from(scanner.items(), () => build(scanner));
    case '"':
      return scanner.string();
    default:
      return JSON.parse(scanner.raw());
  }
}

describe('JsonScanner', () => {
  it('takes what JSON.parse takes and nothing else, however the bytes are divided', () => {
    fc.assert(
      fc.property(
        fc.oneof(json, damaged, fc.string({ unit: fc.constantFrom(...Array.from('"\\{}[],:u0.-e1tnrul ')) })),
        fc.integer({ min: 1, max: 9 }),
        (text, pieceSize) => {
          const raw = outcome(text, pieceSize, (scanner) => scanner.raw());
          expect(raw).toBe(outcome(text, undefined, (scanner) => scanner.raw()));
          if (isJson(text)) expect(raw).toBe(text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '').toWellFormed());
          else expect(raw).toMatch(/^\d+: /);
        },
      ),
      { numRuns: runs(3_000) },
    );
  });

  it('gives the values that JSON.parse gives', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 9 }), (text, pieceSize) => {
        expect([outcome(text, pieceSize, build)]).toEqual([JSON.parse(text.toWellFormed())]);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('gives the places of all marks outside of strings', () => {
    fc.assert(
      fc.property(json, fc.integer({ min: 1, max: 9 }), (text, pieceSize) => {
        const bytes = Buffer.from(text);
        const blank = bytes.toString('latin1').replace(/"(?:[^"\\]|\\.)*"/gs, (found) => '_'.repeat(found.length));
        expect(outcome(text, pieceSize, (scanner) => [...scanner.marks()])).toEqual(Array.from(blank.matchAll(/[{}[\],:]/g), ({ index }) => index));
      }),
    );
  });

  it('knows base64 with its padding from other strings, and where it stands', () => {
    const text = fc.oneof(fc.base64String(), fc.string({ unit: fc.constantFrom('A', 'b', '9', '+', '/', '=', '-', 'é', '\n') }));
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 9 }), (value, pieceSize) => {
        const json = ` ${JSON.stringify(value)}`;
        const scanner = new JsonScanner(bytesOf(json), pieceSize);
        const place = scanner.stringPlace();
        scanner.end();
        expect(place).toEqual({
          offset: 2,
          length: Buffer.byteLength(json) - 3,
          isBase64: /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value),
        });
        expect(scanner.stringAt(place)).toBe(value);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('takes bytes that are no UTF-8 as replacement characters, and never crashes', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.integer({ min: 1, max: 9 }), (bytes, pieceSize) => {
        const whole = Buffer.concat([Buffer.from('["'), bytes, Buffer.from('"]')]);
        expect(outcome(whole, pieceSize, build)).toEqual(outcome(whole, undefined, build));
        if (isJson(whole.toString())) expect(outcome(whole, pieceSize, build)).toEqual(JSON.parse(whole.toString()));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('refuses 10,001 levels, and takes 10,000 and a million strings in linear time', () => {
    const nested = (levels: number): string => '[{"a":'.repeat(levels / 2) + '1' + '}]'.repeat(levels / 2);
    expect(outcome(nested(10_000), undefined, (scanner) => [scanner.raw().length, scanner.deepest])).toEqual([40_001, 10_000]);
    expect(outcome(nested(10_002), undefined, (scanner) => scanner.raw())).toMatch(/: it is nested deeper than 10000 levels$/);
    const long = `[${'"\\\\\\"",'.repeat(1_000_000)}0]`;
    expect(outcome(long, 1024, (scanner) => scanner.skip())).toEqual({ offset: 0, length: long.length });
  });
});
