import { describe, expect, test } from 'vitest';
import type { McpField, McpFieldValue } from '../../../src/domain/mcp/request.js';
import { boundedPattern } from '../../../src/text/bounded-pattern.js';
import { fieldProblem, isAnswer } from '../../../src/protocol/form-check.js';
import { says } from '../../support/wording.js';
import { processorMs } from '../../support/processor-time.js';

const base = { name: 'f', required: false };
const text = (over: Partial<Extract<McpField, { type: 'text' }>> = {}): McpField => ({ ...base, type: 'text', ...over });
const options = [
  { value: 'a', title: 'A' },
  { value: 'b', title: 'B' },
];

describe('M-12: the value of a blank', () => {
  test.each<[McpField, McpFieldValue]>([
    [text(), ''],
    [text({ minLength: 2, maxLength: 2 }), '👍👍'],
    [text({ format: 'email' }), 'ada@example.co.uk'],
    [text({ format: 'uri' }), 'urn:isbn:0451450523'],
    [text({ format: 'date' }), '2024-02-29'],
    [text({ format: 'date-time' }), '2026-01-31T09:30:00.5+01:00'],
    [text({ pattern: '^v\\d+$' }), 'v12'],
    // Nobody checks a pattern that could take forever; the server does.
    [text({ pattern: '^(a+)+$' }), 'b'],
    [{ ...base, type: 'number', integer: true, minimum: 1, maximum: 3 }, 3],
    [{ ...base, type: 'boolean' }, false],
    [{ ...base, type: 'choice', options }, 'a'],
    [{ ...base, type: 'choices', options, minItems: 1, maxItems: 2 }, ['b', 'a']],
  ])('of %j may be %j', (field, value) => {
    expect(fieldProblem(field, value)).toBe('');
  });

  test.each<[McpField, McpFieldValue]>([
    [text({ minLength: 2 }), '👍'],
    [text({ maxLength: 2 }), 'abc'],
    [text({ format: 'email' }), 'ada@example'],
    [text({ format: 'email' }), 'ada@exa mple.com'],
    [text({ format: 'uri' }), 'example.com'],
    [text({ format: 'date' }), '2026-02-29'],
    [text({ format: 'date' }), '31.1.2026'],
    [text({ format: 'date-time' }), '2026-01-31T09:30:00'],
    [text({ format: 'date-time' }), '2026-02-30T09:30:00Z'],
    [text({ format: 'date-time' }), '2026-01-31T25:30:00Z'],
    [text({ pattern: '^v\\d+$' }), 'x'],
    [text(), 1],
    [{ ...base, type: 'number', integer: true }, 1.5],
    [{ ...base, type: 'number', integer: false, minimum: 1 }, 0],
    [{ ...base, type: 'number', integer: false, maximum: 1 }, 2],
    [{ ...base, type: 'number', integer: false }, 'two'],
    [{ ...base, type: 'boolean' }, 'true'],
    [{ ...base, type: 'choice', options }, 'c'],
    [{ ...base, type: 'choices', options }, ['c']],
    [{ ...base, type: 'choices', options }, 'a'],
    [{ ...base, type: 'choices', options, required: true }, []],
    [{ ...base, type: 'choices', options, maxItems: 1 }, ['a', 'b']],
  ])('of %j may not be %j', (field, value) => {
    expect(fieldProblem(field, value)).not.toBe('');
  });

  test('may be missing unless it is required', () => {
    expect(fieldProblem(text({ format: 'email' }), undefined)).toBe('');
    expect(fieldProblem(text({ required: true }), undefined)).toBe(says('fieldRequired'));
  });
});

describe('M-12: an answer to a form', () => {
  const fields: readonly McpField[] = [text({ name: 'a', required: true }), text({ name: 'constructor' })];

  test.each([
    [{ a: 'x' }, true],
    [{ a: 'x', constructor: 'y' }, true],
    [{}, false],
    [{ a: 1 }, false],
    [{ a: 'x', other: 'y' }, false],
  ])('%j is one: %j', (values, is) => {
    expect(isAnswer(fields, values as Readonly<Record<string, McpFieldValue>>)).toBe(is);
  });
});

describe('M-12: a pattern of a stranger', () => {
  test.each(['^[a-z0-9]+$', '^v\\d+\\.\\d+$', '^-?\\d+(?:\\.\\d+)?$', '^(red|green|blue)$', '^[A-Z]{2}\\d{4}$', '^[^@]+@[^@]+$', '^[\\]+*?{}|]{1,9}$'])(
    '%s is quick, and is used',
    (pattern) => {
      expect(boundedPattern(pattern)?.matches('x')).toBe(new RegExp(pattern, 'u').test('x'));
    },
  );

  test.each([
    '(a+)+$',
    '(a|a)*$',
    '(?:a?){30}a{30}',
    '(.*a){12}',
    'a*a*a*a*b',
    '(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)(a|a)b',
    'a?a?a?a?a?a?a?a?b',
    '((a*)b?)*',
    '(?=x)y',
    '(a)\\1',
    '(?<n>a)',
    '[',
    'x'.repeat(201),
  ])('%s may be slow or is none, and is not used', (pattern) => {
    expect(boundedPattern(pattern)).toBeUndefined();
  });

  test('takes no time, whatever is used of it', async () => {
    const patterns = ['a*a*a*b', 'a?a?a?a*a*b', '[a]*a*[^b]*b', '(?:a*)a*a*b'];
    expect(await processorMs(() => patterns.forEach((pattern) => boundedPattern(pattern)?.matches('a'.repeat(100))))).toBeLessThan(3_000);
    expect(boundedPattern('a*b')?.matches('a'.repeat(101))).toBeUndefined();
  });
});
