import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonInText } from '../../../src/text/json-in-text.js';
import { runs } from '../../support/runs.js';
import { JSON_BEGINNINGS, millionOf } from '../../support/worst-inputs.js';

const OBJECT = { a: [1, { b: 'x' }] };
const JSON_TEXT = JSON.stringify(OBJECT);

describe('JSON in what a model wrote', () => {
  test.each<[string, string, unknown]>([
    ['alone', JSON_TEXT, OBJECT],
    ['a text', '"yes"', 'yes'],
    ['a number with space around it', ' 7\n', 7],
    ['behind a byte-order mark', `\uFEFF${JSON_TEXT}`, OBJECT],
  ])('is the whole text: %s', (_how, text, value) => {
    expect(jsonInText(text)).toEqual({ values: [value], problem: undefined });
  });

  test.each<[string, string, unknown]>([
    ['in a fence', `\`\`\`json\n${JSON_TEXT}\n\`\`\``, OBJECT],
    ['in a fence with words around it', `Here it is:\n\n\`\`\`\n${JSON_TEXT}\n\`\`\`\nAnything else?`, OBJECT],
    ['in words', `The result is ${JSON_TEXT}. Done.`, OBJECT],
    ['behind words in brackets', `The {result} [of course] is ${JSON_TEXT} {as wanted}`, OBJECT],
    ['behind an open bracket', `:-[ Well: ${JSON_TEXT}`, OBJECT],
    ['with brackets and quotes in its strings', 'So: {"a":"}]\\"{","b":"\\\\"} there', { a: '}]"{', b: '\\' }],
    ['a fence in a string', 'It is {"a":"```js\\nx\\n```"}.', { a: '```js\nx\n```' }],
  ])('is found %s', (_how, text, value) => {
    const { values, problem } = jsonInText(text);
    expect(values).toContainEqual(value);
    expect(problem).toMatch(/^it is not JSON/);
  });

  test.each<[string, string, RegExp]>([
    ['nothing', ' ', /^it is empty$/],
    ['words', 'I cannot do that.', /^it is not JSON \(/],
    ['what is cut off', '{"a": [1, {"b": "x', /^it is not JSON \(/],
    ['what is nested too deeply', '['.repeat(201) + ']'.repeat(201), /^it is nested deeper than 200 levels$/],
    ['what is too long', `"${'x'.repeat(4 * 1024 * 1024)}"`, /^it is \d+ characters long, the limit is \d+$/],
  ])('is not found in %s', (_what, text, problem) => {
    expect(jsonInText(text)).toEqual({ values: [], problem: expect.stringMatching(problem) as string });
  });

  test('is found among any words without brackets, whatever it is', () => {
    const words = fc.string({ maxLength: 30 }).filter((each) => !/[[\]{}"`]/.test(each) && /\S/.test(each));
    const value = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true }), fc.array(fc.jsonValue({ maxDepth: 2 })));
    fc.assert(
      fc.property(words, value, words, (before, data, behind) => {
        const plain: unknown = JSON.parse(JSON.stringify(data));
        expect(jsonInText(`x ${before} ${JSON.stringify(data)} ${behind}`).values).toContainEqual(plain);
      }),
      { numRuns: runs(300) },
    );
  });

  test.each(JSON_BEGINNINGS)('is not found in a megabyte of %j', (piece) => {
    expect(jsonInText(millionOf(piece)).values).toEqual([]);
  });
});
