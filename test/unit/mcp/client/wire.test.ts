import { describe, expect, it } from 'vitest';
import { formFields } from '../../../../src/mcp/client/server-requests.js';
import { headerParameters, headersOfCall } from '../../../../src/mcp/client/wire/header-parameters.js';
import { isShallow, jsonStart } from '../../../../src/mcp/client/wire/json.js';

describe('M-12: a form', () => {
  it('has a blank for each property, with its limits and default', () => {
    const properties = {
      name: { type: 'string', title: 'Name', description: 'Yours', minLength: 1, maxLength: 20, pattern: '^A', default: 'Ada' },
      mail: { type: 'string', format: 'email' },
      age: { type: 'integer', minimum: 0, maximum: 150, default: 36 },
      share: { type: 'number' },
      agree: { type: 'boolean', default: true },
      size: { type: 'string', enum: ['s', 'm'], default: 'm' },
      named: { type: 'string', enum: ['s', 'm'], enumNames: ['Small', 'Medium'] },
      titled: { type: 'string', oneOf: [{ const: 's', title: 'Small' }] },
      many: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, minItems: 1, maxItems: 2, default: ['a'] },
      manyTitled: { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
    };
    expect(formFields({ type: 'object', properties, required: ['name'] })).toEqual([
      { name: 'name', title: 'Name', description: 'Yours', required: true, type: 'text', minLength: 1, maxLength: 20, pattern: '^A', default: 'Ada' },
      { name: 'mail', required: false, type: 'text', format: 'email' },
      { name: 'age', required: false, type: 'number', integer: true, minimum: 0, maximum: 150, default: 36 },
      { name: 'share', required: false, type: 'number', integer: false },
      { name: 'agree', required: false, type: 'boolean', default: true },
      {
        name: 'size',
        required: false,
        type: 'choice',
        options: [
          { value: 's', title: 's' },
          { value: 'm', title: 'm' },
        ],
        default: 'm',
      },
      {
        name: 'named',
        required: false,
        type: 'choice',
        options: [
          { value: 's', title: 'Small' },
          { value: 'm', title: 'Medium' },
        ],
      },
      { name: 'titled', required: false, type: 'choice', options: [{ value: 's', title: 'Small' }] },
      {
        name: 'many',
        required: false,
        type: 'choices',
        options: [
          { value: 'a', title: 'a' },
          { value: 'b', title: 'b' },
        ],
        minItems: 1,
        maxItems: 2,
        default: ['a'],
      },
      { name: 'manyTitled', required: false, type: 'choices', options: [{ value: 'a', title: 'A' }] },
    ]);
  });

  it.each([
    ['no object', { type: 'string' }],
    ['something nested', { type: 'object', properties: { a: { type: 'object' } } }],
    ['a choice of numbers', { type: 'object', properties: { a: { type: 'string', enum: [1] } } }],
    ['a list of anything', { type: 'object', properties: { a: { type: 'array', items: {} } } }],
    ['an unknown format', { type: 'object', properties: { a: { type: 'string', format: 'regex' } } }],
    ['too many fields', { type: 'object', properties: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`f${index}`, { type: 'boolean' }])) }],
  ])('is refused if it has %s', (_, schema) => {
    expect(() => formFields(schema)).toThrow(expect.objectContaining({ code: -32602 }) as Error);
  });
});

describe('arguments that are sent as headers', () => {
  const schema = {
    type: 'object',
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      deep: { type: 'object', properties: { count: { type: 'integer', 'x-mcp-header': 'Count' } } },
      flag: { type: 'boolean', 'x-mcp-header': 'Flag' },
    },
  };

  it('are encoded where a header could not carry them, and left out where there is no value', () => {
    expect(headersOfCall(schema, { region: 'us-west1', deep: { count: 4 }, flag: false })).toEqual({
      'Mcp-Param-Region': 'us-west1',
      'Mcp-Param-Count': '4',
      'Mcp-Param-Flag': 'false',
    });
    for (const region of ['Zürich', ' x', 'a\r\nb', '', '=?base64?eA==?=']) {
      expect(headersOfCall(schema, { region })).toEqual({ 'Mcp-Param-Region': `=?base64?${Buffer.from(region).toString('base64')}?=` });
    }
    expect(headersOfCall(schema, { region: null, deep: 'x', flag: {} })).toEqual({});
    expect(headersOfCall(schema, { deep: { count: 2 ** 60 } })).toEqual({});
  });

  it.each([
    ['in a list', { type: 'array', items: { type: 'string', 'x-mcp-header': 'A' } }],
    ['in a choice', { oneOf: [{ properties: { a: { type: 'string', 'x-mcp-header': 'A' } } }] }],
    ['at the top', { type: 'string', 'x-mcp-header': 'A' }],
    ['with a line break', { properties: { a: { type: 'string', 'x-mcp-header': 'A\r\nB: c' } } }],
    ['for a number', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }],
    ['twice', { properties: { a: { type: 'string', 'x-mcp-header': 'A' }, b: { type: 'string', 'x-mcp-header': 'a' } } }],
  ])('may not be marked %s', (_, wrong) => {
    expect(headerParameters(wrong)).toEqual(expect.any(String));
  });

  it('are not what only looks like a mark in a value', () => {
    expect(headerParameters({ properties: { a: { type: 'object', default: { 'x-mcp-header': 'A' }, enum: [{ 'x-mcp-header': 'B' }] } } })).toEqual([]);
  });
});

describe('JSON', () => {
  it('is begun without being finished', () => {
    const value = { a: [1, 'two', null, { b: true }], c: undefined, d: 'x"y' };
    expect(jsonStart(value, 1_000)).toBe(JSON.stringify(value));
    for (const limit of [0, 1, 5, 10, 20]) expect(jsonStart(value, limit)).toBe(JSON.stringify(value).slice(0, limit));
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(jsonStart(deep, 1_000)).toContain('…');
    expect(isShallow(deep, 64)).toBe(false);
    expect(isShallow([[1]], 2)).toBe(true);
  });
});
