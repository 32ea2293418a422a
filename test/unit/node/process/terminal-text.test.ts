import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TerminalText } from '../../../../src/node/process/terminal-text.js';
import { runs } from '../../../support/runs.js';

function inChunks(bytes: Buffer, sizes: readonly number[]): string {
  const text = new TerminalText();
  let result = '';
  let at = 0;
  for (const size of sizes) {
    result += text.push(bytes.subarray(at, at + size));
    at += size;
  }
  return result + text.push(bytes.subarray(at)) + text.end();
}

const whole = (input: string): string => inChunks(Buffer.from(input), []);

describe('TerminalText', () => {
  it.each([
    ['plain\n', 'plain\n'],
    ['no end', 'no end'],
    ['\x1b[1;31mred\x1b[0m\x1b[K\n', 'red\n'],
    ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x07!\n', 'link!\n'],
    ['\x1b]52;c;AAAA\x07\x1bP1$r\x1b\\\x1b(B\x1b7x\n', 'x\n'],
    ['10%\r20%\r100%\ndone\n', '100%\ndone\n'],
    ['a\r\nb\r\r\nc\r', 'a\nb\nc'],
    ['a\tb\x08\x00\x07c\u009b31md\n', 'a\tbcd\n'],
    ['\x1b]never ends\nnext\n', ']never ends\nnext\n'],
    ['\x1b', ''],
  ])('tool-05: %j is seen as %j', (input, expected) => {
    expect(whole(input)).toBe(expected);
  });

  it('tool-05: comes out the same however the bytes are cut', () => {
    const part = fc.constantFrom('a', 'é', '🎉', '\n', '\r\n', '\r', '\x1b[31m', '\x1b]0;t\x07', '\x1b]0;t\x1b\\', '\x1b(B', '\0', '\t');
    fc.assert(
      fc.property(fc.array(part), fc.array(fc.nat({ max: 4 })), (parts, sizes) => {
        const bytes = Buffer.from(parts.join(''));
        expect(inChunks(bytes, sizes)).toBe(inChunks(bytes, []));
      }),
      { numRuns: runs(20_000) },
    );
  });

  it('overwrites a line whose return came apart from what follows, behind an escape sequence', () => {
    const text = new TerminalText();
    const chunks = ['a\r\x1b', ']0;t', '\x07', 'b\n'].map((chunk) => text.push(Buffer.from(chunk)));
    expect(chunks.join('') + text.end()).toBe('b\n');
  });

  it('loses nothing to several returns before the end of a line', () => {
    const text = new TerminalText();
    const chunks = ['a\r', '\r', '\x1b(B', '\n'].map((chunk) => text.push(Buffer.from(chunk)));
    expect(chunks.join('') + text.end()).toBe('a\n');
  });

  it('continues on a new line when what was passed on ended with a return', () => {
    const text = new TerminalText();
    expect(text.push(Buffer.from('10%\r\x1b[0m')) + text.flush()).toBe('10%');
    expect(text.push(Buffer.from('20%\n'))).toBe('\n20%\n');
  });

  it('holds nothing but text, tabs and line feeds, whatever comes in', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.array(fc.nat({ max: 9 })), (bytes, sizes) => {
        // oxlint-disable-next-line no-control-regex -- controls are what is looked for
        expect(inChunks(Buffer.from(bytes), sizes)).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]|\p{Surrogate}/u);
      }),
    );
  });

  it('continues a line on a new one when what was passed on is overwritten', () => {
    const text = new TerminalText();
    expect(text.push(Buffer.from('10%')) + text.flush()).toBe('10%');
    expect(text.push(Buffer.from(' more')) + text.flush()).toBe(' more');
    expect(text.push(Buffer.from('\r20%\r30%\n'))).toBe('\n30%\n');
  });

  it('tool-13: does not keep a line of 50 MB', () => {
    const text = new TerminalText();
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let length = 0;
    for (let index = 0; index < 800; index += 1) length += text.push(chunk).length;
    expect(length).toBe(800 * 64 * 1024);
  });
});
