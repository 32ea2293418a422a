import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeValues } from '../../../../src/config/settings/merge-values.js';

/** By the kinds of two values, the stronger one first. */
const TABLE: readonly (readonly [string, unknown, unknown, unknown])[] = [
  ['scalar, scalar', 1, 2, 1],
  ['false, true', false, true, false],
  ['empty text, text', '', 'b', ''],
  ['scalar, null', 1, null, 1],
  ['scalar, missing', 1, undefined, 1],
  ['null, scalar', null, 2, 2],
  ['missing, scalar', undefined, 2, 2],
  ['object, object', { a: 1, c: { d: 1 } }, { a: 2, b: 2, c: { e: 2 } }, { a: 1, b: 2, c: { d: 1, e: 2 } }],
  ['object with null, object', { a: null, b: 1 }, { a: 2 }, { a: 2, b: 1 }],
  ['object, null', { a: 1 }, null, { a: 1 }],
  ['object, missing', { a: 1 }, undefined, { a: 1 }],
  ['null, object', null, { a: 2 }, { a: 2 }],
  ['missing, object', undefined, { a: 2 }, { a: 2 }],
  ['list, list', ['a', 'b'], ['b', 'c'], ['a', 'b', 'c']],
  ['list of objects, list of objects', [{ id: 1 }], [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 2 }]],
  ['empty list, list', [], ['c'], ['c']],
  ['list, null', ['a'], null, ['a']],
  ['list, missing', ['a'], undefined, ['a']],
  ['null, list', null, ['c'], ['c']],
  ['missing, list', undefined, ['c'], ['c']],
  ['null, null', null, null, undefined],
  ['missing, missing', undefined, undefined, undefined],
];

/** Layers of a file that has a setting of each kind; a setting has the same kind in all layers, because its shape is checked before. */
const layer = fc.record(
  {
    scalar: fc.option(fc.oneof(fc.integer(), fc.string())),
    list: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 5 }))),
    object: fc.option(fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), fc.option(fc.integer()))),
    nested: fc.option(
      fc.record({ inner: fc.option(fc.record({ list: fc.uniqueArray(fc.integer({ min: 0, max: 3 })) }, { requiredKeys: [] })) }, { requiredKeys: [] }),
    ),
  },
  { requiredKeys: [] },
);
/** Without what says nothing: it makes no difference whether a key is null, or not there. */
const said = (value: unknown): unknown => JSON.parse(JSON.stringify({ value }, (_key, each: unknown) => (each === null ? undefined : each))) as unknown;

describe('S-01: values of two layers', () => {
  it.each(TABLE)('%s', (_kinds, stronger, weaker, merged) => {
    expect(mergeValues(stronger, weaker)).toEqual(merged);
  });

  it('it makes no difference which layers are merged first', () => {
    fc.assert(
      fc.property(layer, layer, layer, (a, b, c) => {
        expect(said(mergeValues(mergeValues(a, b), c))).toEqual(said(mergeValues(a, mergeValues(b, c))));
      }),
    );
  });

  it('one layer alone is as it is, before or behind layers that say nothing', () => {
    fc.assert(
      fc.property(layer, (users) => {
        for (const nothing of [undefined, null, {}]) {
          expect(said(mergeValues(users, nothing))).toEqual(said(users));
          expect(said(mergeValues(nothing, users))).toEqual(said(users));
        }
        expect(said(mergeValues(users, users))).toEqual(said(users));
      }),
    );
  });

  it('S-08: a key with the name of a prototype is a key like others', () => {
    const hostile = JSON.parse('{ "__proto__": { "polluted": true } }') as unknown;
    expect(Object.keys(mergeValues(hostile, { a: 1 }) as object)).toEqual(['__proto__', 'a']);
    expect(Object.keys(mergeValues({ a: 1 }, hostile) as object)).toEqual(['a', '__proto__']);
    expect('polluted' in {}).toBe(false);
  });
});
