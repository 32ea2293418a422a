import { describe, expect, test } from 'vitest';
import type { JsonSchema } from '../../../../src/domain/tool/tool.js';
import { toldSchema } from '../../../../src/mcp/tools/schema.js';
import { createServerTools } from '../../../../src/mcp/tools/server-tools.js';
import { contextOf, info, onlyTool, run, serverOf, textOf } from './rig.js';
import { processorMs } from '../../../support/processor-time.js';

function told(schema: JsonSchema): JsonSchema {
  const read = toldSchema(schema);
  if ('problem' in read) throw new Error(read.problem);
  return read.told;
}

function problemOf(schema: JsonSchema): string {
  const read = toldSchema(schema);
  return 'problem' in read ? read.problem : 'none';
}

const nested = (levels: number): JsonSchema => (levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: nested(levels - 1) } });

describe('the schema that models get', () => {
  test('what has a default is not required, at any depth, of models as little as of their calls', () => {
    const inner = { type: 'object', properties: { a: { type: 'string', default: 'x' }, b: { type: 'number' } }, required: ['a', 'b'] };
    const schema = {
      type: 'object',
      properties: {
        url: { type: 'string' },
        mode: { enum: ['a', 'b'], default: 'a' },
        off: { type: 'boolean', default: false },
        nothing: { default: null },
        inner,
        list: { type: 'array', items: inner },
      },
      required: ['url', 'mode', 'off', 'nothing', 'inner', 'constructor'],
    };
    const less = { ...inner, required: ['b'] };
    expect(told(schema)).toEqual({
      ...schema,
      properties: { ...schema.properties, inner: less, list: { type: 'array', items: less } },
      required: ['url', 'inner'],
    });
    expect(told({ type: 'object', properties: { a: { default: 1 } }, required: ['a'] })).toEqual({ type: 'object', properties: { a: { default: 1 } } });
  });

  test('a call without what has a default is one that the server gets, as the model made it', async () => {
    const server = serverOf([
      info('t', { inputSchema: { type: 'object', properties: { n: { type: 'integer', default: 3 }, m: { type: 'integer' } }, required: ['n', 'm'] } }),
    ]);
    await run(onlyTool(server), { m: 1 });
    expect(server.received.map(({ args }) => args)).toEqual([{ m: 1 }]);
    await expect(run(onlyTool(server), { n: 1 })).rejects.toThrow('m');
  });

  test('alternatives at the root become one object: all properties, and required what all of them require', () => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      anyOf: [
        { properties: { path: { type: 'string' } }, required: ['path', 'id'] },
        { properties: { url: { type: 'string' } }, required: ['url', 'id'] },
      ],
      allOf: [{ properties: { force: { type: 'boolean' } }, required: ['force'] }],
    };
    expect(told(schema)).toEqual({
      type: 'object',
      properties: { id: { type: 'string' }, force: { type: 'boolean' }, path: { type: 'string' }, url: { type: 'string' } },
      required: ['id', 'force'],
    });
  });

  test('what is behind a reference in the schema counts, and a property with several types may have any', () => {
    const schema = {
      oneOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
      $defs: {
        A: { type: 'object', properties: { x: { type: 'string' } }, required: ['x'] },
        B: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
      },
    };
    expect(told(schema)).toMatchObject({ type: 'object', properties: { x: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, required: ['x'] });
    expect(told(schema)).not.toHaveProperty('oneOf');
    expect(told({ $ref: '#/$defs/A', $defs: schema.$defs })).toMatchObject({ type: 'object', required: ['x'] });
  });

  test('M-08: references to other places are left out, properties that are called so are not', () => {
    const schema = told({
      type: 'object',
      $schema: 'http://127.0.0.1:1/s',
      $id: 'http://127.0.0.1:1/i',
      properties: {
        a: { $ref: 'http://127.0.0.1:1/x', description: 'd' },
        b: { $ref: '#/$defs/B' },
        c: { properties: { $ref: { type: 'string' }, $id: { type: 'string' } } },
      },
      $defs: { B: { type: 'string' } },
    });
    expect(JSON.stringify(schema)).not.toContain('http:');
    expect(schema).toMatchObject({
      properties: { a: { description: 'd' }, b: { $ref: '#/$defs/B' }, c: { properties: { $ref: { type: 'string' }, $id: { type: 'string' } } } },
    });
  });

  test('hidden characters in its texts are visible, values stay as they are', () => {
    const schema = told({ type: 'object', properties: { a: { description: 'x\u202ey\u001b[31m', enum: ['\u202e'], default: '\u202e' } } });
    expect(schema).toEqual({ type: 'object', properties: { a: { description: 'x\\u{202e}y\\u{1b}[31m', enum: ['\u202e'], default: '\u202e' } } });
  });

  test.each<[string, JsonSchema, string]>([
    ['is nested too deeply', nested(1_000), 'The schema of its arguments is nested too deeply or too large.'],
    [
      'has too many parts',
      { type: 'object', properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`a${index}`, {}])) },
      'The schema of its arguments is nested too deeply or too large.',
    ],
    ['is too long', { type: 'object', properties: { a: { description: 'x'.repeat(30_000) } } }, 'The schema of its arguments is longer than 20000 characters.'],
    ['is about a string', { type: 'string' }, 'Its arguments are not an object.'],
    ['has an alternative that is none', { anyOf: [{ type: 'object' }, { type: 'array' }] }, 'Its arguments are not an object.'],
    [
      'has a name that APIs refuse',
      { type: 'object', properties: { 'a b\u202e': {} } },
      'The name of its argument a b\\u{202e} is not one that models can use.',
    ],
  ])('one that %s makes its tool alone unusable, with a reason', (_, inputSchema, reason) => {
    expect(problemOf(inputSchema)).toBe(reason);
    const { tools, refused } = createServerTools(serverOf([info('odd', { inputSchema }), info('good')]));
    expect(tools.map((tool) => tool.info.name)).toEqual(['good']);
    expect(refused).toEqual([{ name: 'odd', reason }]);
  });

  test('properties with names of JavaScript’s own are properties', () => {
    const schema = told({ type: 'object', properties: JSON.parse('{"__proto__":{"type":"string"},"constructor":{"type":"string"}}') as JsonSchema });
    expect(Object.keys(schema['properties'] ?? {})).toEqual(['__proto__', 'constructor']);
  });
});

describe('arguments', () => {
  const checkedBy =
    (inputSchema: JsonSchema) =>
    async (args: unknown): Promise<string> => {
      const tool = onlyTool(serverOf([info('t', { inputSchema })]));
      return tool.plan(args, contextOf()).then(
        () => 'fits',
        (error: unknown) => String(error),
      );
    };

  test('are checked before anything is asked, with the reason for the model', async () => {
    const server = serverOf([
      info('t', { inputSchema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false } }),
    ]);
    const tool = onlyTool(server);
    await expect(tool.plan({ n: 'one' }, contextOf())).rejects.toThrow(
      'The arguments of mcp__db__t do not fit its schema; nothing was done.\n- n: must be a number, not a string; write it without quotes',
    );
    await expect(tool.plan({ n: 1, m: 2 }, contextOf())).rejects.toThrow('unknown: m; the fields are n');
    await expect(tool.plan('text', contextOf())).rejects.toThrow('do not fit its schema');
    expect(server.received).toEqual([]);
  });

  test('alternatives at the root are checked as the server wrote them', async () => {
    const check = checkedBy({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [
        { type: 'object', required: ['a'], properties: { a: {} } },
        { type: 'object', required: ['b'], properties: { b: {} } },
      ],
    });
    expect(await check({ a: 'x' })).toBe('fits');
    expect(await check({})).not.toBe('fits');
  });

  test.each<[string, JsonSchema]>([
    ['patterns that take forever', { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }],
    ['properties by pattern', { type: 'object', patternProperties: { '^(a+)+$': { type: 'string' } }, additionalProperties: false }],
    ['conditions', { type: 'object', if: { required: ['a'] }, then: { required: ['b'] } }],
    ['what the checker does not know', { type: 'object', properties: { a: { type: 'strange' } } }],
    ['a reference to another place', { type: 'object', properties: { a: { $ref: 'http://127.0.0.1:1/x' } } }],
  ])('%s are left to the server', async (_, schema) => {
    const check = async (): Promise<void> => expect(await checkedBy(schema)({ a: `${'a'.repeat(40)}!` })).toBe('fits');
    expect(await processorMs(check)).toBeLessThan(2_000);
  });

  test('a few references that stand for more than could be checked take no time, and those to themselves no end', async () => {
    const levels: Record<string, JsonSchema> = { d30: { type: 'string' } };
    for (let level = 0; level < 30; level += 1) levels[`d${level}`] = { anyOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] };
    const many = { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs: levels };
    const circle = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/c' } },
      $defs: { c: { anyOf: [{ $ref: '#/$defs/c' }, { allOf: [{ $ref: '#' }, { $ref: '#/$defs/c' }] }] } },
    };
    const check = async (): Promise<void> => {
      for (const schema of [many, circle]) expect(await checkedBy(schema)({ a: 1 })).toBe('fits');
    };
    expect(await processorMs(check)).toBeLessThan(2_000);
  });

  test('behind references are checked', async () => {
    const tree = {
      type: 'object',
      properties: { root: { $ref: '#/$defs/node' } },
      $defs: {
        node: { type: 'object', properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } }, required: ['name'] },
      },
    };
    expect(await checkedBy(tree)({ root: { name: 'a', children: [{ name: 'b' }] } })).toBe('fits');
    expect(await checkedBy(tree)({ root: { children: [] } })).toContain('root.name: missing');
    expect(await checkedBy({ $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { n: { type: 'number' } } } } })({ n: 'x' })).toContain(
      'n: must be a number',
    );
  });

  test('conf-18: reach the server as the model wrote them: nothing is filled in, replaced or run', async () => {
    const server = serverOf([
      info('t', { inputSchema: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'string', default: 'filled in' } } } }),
    ]);
    const args = { a: '$(touch PWN) `touch PWN` ${HOME} ${input:key} ; rm -rf /', extra: [1, { __proto__x: null }] };
    const result = await run(onlyTool(server), args);
    expect(server.received[0]?.args).toEqual(args);
    expect(textOf(result)).toContain('$(touch PWN)');
  });
});
