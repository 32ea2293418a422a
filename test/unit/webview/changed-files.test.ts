import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countsOf, filesText, splitPath, totalOf, waitingText } from '../../../webview/state/transcript/changed-files.js';
import { says } from '../../support/wording.js';

describe('how many lines are changed', () => {
  test('a file that is no text has no lines, one that only grew removes none', () => {
    expect(countsOf({})).toBeUndefined();
    expect(countsOf({ added: 3 })).toEqual({ added: 3, removed: 0 });
    expect(countsOf({ removed: 0 })).toEqual({ added: 0, removed: 0 });
  });

  test('all files together are the sum of those that are text', () => {
    expect(totalOf([{ added: 3, removed: 2 }, {}, { removed: 12 }])).toEqual({ added: 3, removed: 14 });
    expect(totalOf([{}, {}])).toBeUndefined();
    expect(totalOf([])).toBeUndefined();
  });
});

test.each([
  [1, '1 file', says('filePending')],
  [2, '2 files', says('filesPending', 2)],
  [1_200, '1,200 files', says('filesPending', '1,200')],
])('%d in words', (count, words, waiting) => {
  expect([filesText(count), waitingText(count)]).toEqual([words, waiting]);
});

describe('a path', () => {
  test.each([
    ['a.ts', '', 'a.ts'],
    ['src/a.ts', 'src/', 'a.ts'],
    ['/a', '/', 'a'],
    ['C:\\work\\a.ts', 'C:\\work\\', 'a.ts'],
    ['a\\b/c', 'a\\b/', 'c'],
    ['src/folder/', 'src/', 'folder/'],
    ['/', '', '/'],
    ['', '', ''],
  ])('%j is %j and %j', (display, folder, name) => {
    expect(splitPath(display)).toEqual({ folder, name });
  });

  test('its parts are all of it, and it always has a name', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('/', '\\', 'a', '.', '\u202E'), minLength: 1 }), (display) => {
        const { folder, name } = splitPath(display);
        expect(folder + name).toBe(display);
        expect(name).not.toBe('');
      }),
    );
  });
});
