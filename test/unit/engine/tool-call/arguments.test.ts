import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseArguments } from '../../../../src/engine/tool-call/arguments.js';

const tricky = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'x', '\n', '\\"', '\\\\') });

test('stream-16: arguments are read up to 200 levels, whatever their strings hold', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.array(tricky, { maxLength: 6 }), (depth, strings) => {
      let value: unknown = strings;
      for (let level = 2; level < depth; level += 1) value = level % 2 === 0 ? [value, ...strings] : { inner: value, more: strings };
      const raw = JSON.stringify({ value, strings });
      const deep = Math.max(2, depth) > 200;
      expect(parseArguments(raw)).toMatchObject(deep ? { ok: false, problem: 'they are nested deeper than 200 levels' } : { ok: true });
    }),
  );
});

test('stream-16: text that is no JSON ends, however it is quoted', () => {
  fc.assert(fc.property(tricky, (raw) => typeof parseArguments(raw).ok === 'boolean'));
  const long = '\\'.repeat(1_000_000);
  for (const raw of [`"${long}`, `{"a":"${long}`, '['.repeat(1_000_000), '{"a":'.repeat(500_000)]) expect(parseArguments(raw).ok).toBe(false);
});

test('stream-16: what is around one whole object is taken off, and what is cut off or malformed is not repaired', () => {
  const value = { a: '```\n{"b": 1}\n```' };
  const text = JSON.stringify(value);
  for (const raw of [
    text,
    `\`\`\`json\n${text}\n\`\`\``,
    `\n\`\`\`\n${text}\`\`\`\n`,
    JSON.stringify(text),
    `\`\`\`\n${JSON.stringify(text)}\n\`\`\``,
    JSON.stringify(`\`\`\`json\n${text}\n\`\`\``),
  ]) {
    expect(parseArguments(raw)).toEqual({ ok: true, value, text });
  }
  for (const raw of [`\`\`\`json\n${text}`, JSON.stringify(JSON.stringify(text)), JSON.stringify('x'), `see: ${text}`, '""', ''])
    expect(parseArguments(raw).ok).toBe(false);
  expect(parseArguments(JSON.stringify('['.repeat(300))).ok).toBe(false);
});
