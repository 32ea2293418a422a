import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatBody } from '../../../../src/chat/requests/format-body.js';

const image = 'iVBORw0KGgo'.repeat(200);

describe('a formatted body', () => {
  it('is what a serializer makes of it, with two spaces a level', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(formatBody(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('keeps long numbers, escapes, and the order and repetition of keys', () => {
    const body = String.raw`{"b":12345678901234567890,"2":1.0,"1":"\u00e4\/\\","1":"\"{[,:","e":[ ],"o":{ }}`;
    expect(formatBody(body)).toBe(
      ['{', '  "b": 12345678901234567890,', '  "2": 1.0,', String.raw`  "1": "\u00e4\/\\",`, String.raw`  "1": "\"{[,:",`, '  "e": [],', '  "o": {}', '}'].join(
        '\n',
      ),
    );
  });

  it('has a mark in place of long data in base64, and keeps what is short or no such data', () => {
    const words = 'a word '.repeat(300);
    const text = formatBody(JSON.stringify({ data: image, url: `data:image/png;base64,${image}==`, short: image.slice(0, 1_000), words }));
    expect(text).toContain('"data": "‹base64: 2,200 characters›"');
    expect(text).toContain('"url": "data:image/png;base64,‹base64: 2,202 characters›"');
    expect(text).toContain(image.slice(0, 1_000));
    expect(text).toContain(words);
    expect(text).not.toContain(image);
  });

  it.each(['', '"', '"a\\', '}}]]', '{"a":', '{{{[[[', 'not json', '\u202E{"a"\u0000:1}'])('of %j is some text, and ends', (body) => {
    expect(typeof formatBody(body)).toBe('string');
  });

  it('of many megabytes takes no more stack or time than of a few', () => {
    const body = JSON.stringify({ text: 'a "quoted" line\\\n'.repeat(400_000), data: 'QUJD'.repeat(1_000_000), slashes: '\\'.repeat(100_000) });
    expect(formatBody(body)).toContain('base64: 4,000,000 characters');
  });
});
