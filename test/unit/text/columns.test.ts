import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnOf } from '../../../src/text/columns.js';
import { isWithin } from '../../../src/node/files/within.js';

describe('columnOf', () => {
  it.each([
    ['const gate = open(gate);', 'gate', 6],
    ['investigate(gate)', 'gate', 12],
    ['investigate()', 'gate', 7],
    ['a.gate.answer()', 'gate.answer', 7],
    ['std::vector v', 'std::vector', 5],
    ['grün = 1; grü', 'grü', 10],
    ['const a = 1', 'b', undefined],
    ['', '', undefined],
  ])('%j: %s is at %s', (line, name, column) => {
    expect(columnOf(line, name)).toBe(column);
  });

  it('finds every name that is on the line', () => {
    fc.assert(
      fc.property(fc.string(), fc.stringMatching(/^[a-z]{1,5}$/), fc.string(), (before, name, after) => {
        const column = columnOf(before + name + after, name);
        return column !== undefined && (before + name + after).startsWith(name, column);
      }),
    );
  });
});

describe('isWithin', () => {
  it.each([
    ['/ws', '/ws', true],
    ['/ws', '/ws/a/b', true],
    ['/ws', '/ws-evil/x', false],
    ['/ws', '/ws/..hidden', true],
    ['/ws', '/', false],
    ['/', '/x', true],
  ])('path-02: %s holds %s: %s', (folder, path, expected) => {
    expect(isWithin(folder, path)).toBe(expected);
  });
});
