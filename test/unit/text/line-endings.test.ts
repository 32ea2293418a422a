import { describe, expect, it } from 'vitest';
import { lineEndingsOf, withLineEndings } from '../../../src/text/line-endings.js';

describe('line endings', () => {
  it.each([
    ['', 'none'],
    ['one line', 'none'],
    ['a\nb', '\n'],
    ['a\r\nb\r\n', '\r\n'],
    ['a\rb', '\r'],
    ['a\r\nb\nc', 'mixed'],
  ])('%j has %j', (text, expected) => {
    expect(lineEndingsOf(text)).toBe(expected);
  });

  it('turns every kind into one', () => {
    expect(withLineEndings('a\r\nb\nc\rd', '\r\n')).toBe('a\r\nb\r\nc\r\nd');
  });
});
