import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidDataError } from '../../../../src/domain/errors.js';
import type { JsonSchema } from '../../../../src/domain/tool/tool.js';
import { dataCheck } from '../../../../src/engine/one-shot/data-check.js';
import { anyCharacter } from '../../../support/any-character.js';
import { runs } from '../../../support/runs.js';

const PLAN: JsonSchema = {
  type: 'object',
  properties: { steps: { type: 'array', items: { type: 'string' }, minItems: 1 }, risk: { type: 'integer', minimum: 0, maximum: 3 } },
  required: ['steps', 'risk'],
  additionalProperties: false,
};
const GOOD = { steps: ['Read it'], risk: 1 };
const fenced = (value: unknown): string => `Here you are:\n\`\`\`json\n${JSON.stringify(value, undefined, 2)}\n\`\`\`\nTell me if {anything} is missing.`;

describe('data that a model is asked for', () => {
  test.each([
    ['alone', JSON.stringify(GOOD)],
    ['in a fence among words', fenced(GOOD)],
    ['behind an example that is not valid', `For example {"steps": []}, or better ${JSON.stringify(GOOD)}`],
  ])('is taken %s', (_how, written) => {
    expect(dataCheck(PLAN)(written)).toEqual({ ok: true, value: GOOD });
  });

  test.each([
    ['nothing', '', /^- it is empty/],
    ['no JSON', 'First I would read it.', /^- it is not JSON/],
    ['other JSON', JSON.stringify({ steps: [1], risk: 9 }), /^- steps\.0: .*expected string.*\n- risk: .*<=3/],
    ['a field too many', JSON.stringify({ ...GOOD, more: true }), /^- the value: .*"more"/],
    ['a field too few', fenced({ risk: 1 }), /^- steps: .*expected array, received undefined/],
  ])('is a problem in words for the model: %s', (_what, written, problem) => {
    expect(dataCheck(PLAN)(written)).toEqual({ ok: false, problem: expect.stringMatching(problem) as string });
  });

  test('is not waited for where a check would take for ever, and a schema that is about nothing but itself cannot be read', () => {
    const check = dataCheck({ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } });
    expect(check(JSON.stringify({ a: 'aaa' }))).toMatchObject({ ok: true });
    expect(check(JSON.stringify({ a: `${'a'.repeat(48)}!` }))).toEqual({ ok: false, problem: expect.stringContaining('takes too long') as string });
    expect(() => dataCheck({ $ref: '#' })).toThrow(InvalidDataError);
  });

  test('is data that fits or a problem in words, whatever was written', () => {
    const tree: JsonSchema = {
      ...PLAN,
      properties: { ...(PLAN['properties'] as object), inner: { $ref: '#/$defs/plan' } },
      $defs: { plan: { ...PLAN, $defs: {} } },
    };
    const written = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 40 }),
      fc.json(),
      fc.tuple(fc.string({ maxLength: 10 }), fc.json(), fc.string({ maxLength: 10 })).map((parts) => parts.join('')),
      fc.constantFrom('__proto__', 'constructor', 'steps').map((name) => `{"${name}": {"steps": [], "risk": 1}, "steps": ["a"], "risk": 1}`),
    );
    const check = dataCheck(tree);
    fc.assert(
      fc.property(written, (raw) => {
        const checked = check(raw);
        if (checked.ok) expect(checked.value).toMatchObject({ steps: expect.any(Array) as unknown, risk: expect.any(Number) as unknown });
        else expect(checked.problem).toMatch(/^- /);
      }),
      { numRuns: runs(500) },
    );
  });

  test.each([{ type: 'object', not: { type: 'string' } }, { $ref: 'https://example.com/x' }, { type: 'string', pattern: '(' }])(
    'is not checked by a schema that cannot be read: %j',
    (schema) => {
      expect(() => dataCheck(schema)).toThrow(InvalidDataError);
    },
  );
});
