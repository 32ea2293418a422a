import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../../src/domain/tool/tool.js';
import { outputFormat as messagesFormat } from '../../../src/provider/anthropic/request.js';
import { outputFormat as openAiFormat } from '../../../src/provider/openai/output-format.js';

const TEXT = { type: 'string' };
const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const TREE = object({ root: { $ref: '#/$defs/node' } }, { $defs: { node: object({ name: TEXT, inner: { type: 'array', items: { $ref: '#/$defs/node' } } }) } });
const deep = (levels: number): JsonSchema => (levels === 1 ? object({ a: TEXT }) : object({ a: deep(levels - 1) }));
const fields = (count: number): JsonSchema => object(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, TEXT])));
const enumOf = (count: number): JsonSchema => object({ a: { type: 'string', enum: Array.from({ length: count }, (_, n) => `v${n}`) } });

describe('strict mode of OpenAI', () => {
  test.each<[string, JsonSchema]>([
    ['fields that are all required', object({ a: TEXT, b: { type: 'integer', minimum: 1 }, c: { type: ['string', 'null'] } })],
    ['objects in lists, alternatives, enumerations', object({ a: { type: 'array', items: object({ b: { anyOf: [TEXT, { type: 'null' }] } }), minItems: 1 } })],
    ['definitions that lead back to themselves', TREE],
    ['no field at all', object({})],
    ['ten levels, thousands of fields, a thousand values', object({ a: deep(9), b: fields(3_000), c: enumOf(1_000) })],
  ])('is asked for with %s', (_what, schema) => {
    expect(openAiFormat(schema)).toEqual({ name: 'answer', schema, strict: true });
  });

  test.each<[string, JsonSchema]>([
    ['an optional field', object({ a: TEXT, b: TEXT }, { required: ['a'] })],
    ['an optional field within', object({ a: { type: 'array', items: object({ b: TEXT }, { required: [] }) } })],
    ['other fields', object({ a: TEXT }, { additionalProperties: true })],
    ['other fields, as nothing is said of them', { type: 'object', properties: { a: TEXT }, required: ['a'] }],
    ['other fields within', object({ a: { anyOf: [{ type: 'object', properties: {}, required: [] }] } })],
    ['other fields in a definition', object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: { type: 'object' } } })],
    ['a keyword that it does not take', object({ a: { type: 'string', minLength: 1 } })],
    ['a format that it does not take', object({ a: { type: 'string', format: 'uri' } })],
    ['a combination', object({ a: { allOf: [TEXT] } })],
    ['no type', object({ a: {} })],
    ['any value', object({ a: true })],
    ['any list', object({ a: { type: 'array' } })],
    ['eleven levels', deep(11)],
    ['too many fields', fields(5_001)],
    ['too many values', enumOf(1_001)],
    ['too many characters', object({ a: { type: 'string', enum: ['x'.repeat(120_000)] } })],
  ])('is not asked for with %s', (_what, schema) => {
    expect(openAiFormat(schema)).toEqual({ name: 'answer', schema });
  });

  test.each<[string, JsonSchema | undefined]>([
    ['a list', { type: 'array', items: TEXT }],
    ['alternatives', { type: 'object', anyOf: [object({ a: TEXT })] }],
    ['anything', {}],
    ['nothing', undefined],
  ])('has no field for %s', (_what, schema) => {
    expect(openAiFormat(schema)).toBeUndefined();
  });
});

describe('the form of Anthropic', () => {
  const sent = (schema: JsonSchema): unknown => messagesFormat(schema)?.schema;

  test('closes objects, and has in words what the API does not take', () => {
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'Whose' },
        kind: { type: 'string', enum: ['a', 'b'] },
        tags: { type: 'array', items: { oneOf: [TEXT, { type: 'null' }] }, minItems: 2, uniqueItems: true },
        at: { $ref: '#/$defs/at' },
      },
      $defs: { at: { type: 'object', properties: { line: { type: ['integer', 'null'] } } } },
    };
    expect(sent(schema)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Whose\n\n{minLength: 1}' },
        kind: { enum: ['a', 'b'] },
        tags: { type: 'array', items: { anyOf: [TEXT, { type: 'null' }] }, description: '{uniqueItems: true, minItems: 2}' },
        at: { $ref: '#/$defs/at' },
      },
      additionalProperties: false,
      $defs: { at: { type: 'object', properties: { line: { type: ['integer', 'null'] } }, additionalProperties: false } },
    });
  });

  test.each<[string, JsonSchema]>([
    ['a schema that leads back to itself', TREE],
    ['any object', object({ a: { type: 'object' } })],
    ['a map', object({ a: { type: 'object', additionalProperties: TEXT } })],
    ['further fields', { ...object({ a: TEXT }), additionalProperties: true }],
    ['patterns of fields', object({ a: TEXT }, { patternProperties: { '^x': TEXT } })],
    ['objects that are combined', object({ a: { allOf: [object({ b: TEXT }), object({ c: TEXT })] } })],
    ['fields beside alternatives', object({ a: { ...object({ b: TEXT }), anyOf: [object({ c: TEXT })] } })],
    ['an object or null in one type', object({ a: { type: ['object', 'null'], properties: { b: TEXT } } })],
    ['a list of anything', object({ a: { type: 'array' } })],
    ['positions in a list', object({ a: { type: 'array', items: TEXT, prefixItems: [TEXT] } })],
    ['values that are no texts or numbers', object({ a: { enum: [{ b: 1 }] } })],
    ['a constant object', object({ a: { const: { b: 1 } } })],
    ['no type', object({ a: { description: 'Anything' } })],
    ['any value', object({ a: true })],
    ['a reference into the net', object({ a: { $ref: 'https://example.com/schema' } })],
    ['a reference to nothing', object({ a: { $ref: '#/$defs/gone' } })],
    ['a definition that is not taken, used or not', object({ a: TEXT }, { $defs: { x: { description: 'Anything' } } })],
    ['definitions of an older kind', object({ a: TEXT }, { definitions: { x: TEXT } })],
    ['alternatives at the top', { type: 'object', oneOf: [object({ a: TEXT })] }],
    ['a list at the top', { type: 'array', items: TEXT }],
  ])('has nothing for %s, of which only a narrower schema could be sent', (_what, schema) => {
    expect(messagesFormat(schema)).toBeUndefined();
  });

  test('takes a definition that is used in several places', () => {
    const schema = object({ a: { $ref: '#/$defs/x' }, b: { $ref: '#/$defs/x' } }, { $defs: { x: object({ c: { $ref: '#/$defs/y' } }), y: TEXT } });
    expect(sent(schema)).toEqual(schema);
  });
});
