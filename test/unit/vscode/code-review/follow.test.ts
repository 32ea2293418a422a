import { describe, expect, it } from 'vitest';
import { shiftOf, followed } from '../../../../src/inline-edit/line-edit.js';

const at = (line: number, character = 0): { readonly line: number; readonly character: number } => ({ line, character });
const REGION = { start: 4, end: 6 };

describe('the lines of a finding', () => {
  it.each([
    ['lines added above', { start: at(0), end: at(0), text: 'a\nb\n' }, { start: 6, end: 8 }],
    ['lines deleted above', { start: at(1), end: at(3), text: '' }, { start: 2, end: 4 }],
    ['a line broken within', { start: at(4, 3), end: at(4, 3), text: '\n' }, { start: 4, end: 7 }],
    ['letters within', { start: at(5, 3), end: at(5, 9), text: 'x' }, REGION],
    ['something below', { start: at(6), end: at(9), text: '' }, REGION],
    ['all of them deleted', { start: at(4), end: at(6), text: '' }, { start: 4, end: 4 }],
    ['all of them replaced', { start: at(4), end: at(6), text: 'one\n' }, { start: 4, end: 5 }],
  ])('are found again after %s', (_, change, expected) => {
    expect(followed(REGION, shiftOf(change))).toEqual(expected);
  });

  it('are those that come in the place of deleted ones', () => {
    const gone = followed(REGION, shiftOf({ start: at(4), end: at(6), text: '' }));
    expect(followed(gone, shiftOf({ start: at(4), end: at(4), text: 'a\nb\n' }))).toEqual(REGION);
    expect(followed(gone, shiftOf({ start: at(1), end: at(1), text: 'a\n' }))).toEqual({ start: 5, end: 5 });
  });
});
