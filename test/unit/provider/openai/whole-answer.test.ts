import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Request } from '../../../../src/domain/model/provider.js';
import { type Piece, TaggedText } from '../../../../src/provider/openai/tagged-text.js';
import { request, user } from './rig.js';
import { runs } from '../../../support/runs.js';

const STRING = { type: 'string' };
const tools = [
  { name: 'read', description: 'read', parameters: { type: 'object', properties: { file_path: STRING, limit: { type: 'integer' } } } },
  {
    name: 'mcp__x__find-it',
    description: 'find',
    parameters: { type: 'object', properties: { query: STRING, exact: { type: 'boolean' }, in: { type: 'array', items: STRING } } },
  },
];

interface Outcome {
  readonly shown: readonly string[];
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[];
  /** How much of the answer was shown before its end. */
  readonly early: string;
}

/** What becomes of an answer that comes in pieces of these sizes. */
function outcome(answer: string, sizes: readonly number[] = [answer.length], change: Partial<Request> = {}): Outcome {
  const reader = new TaggedText(request({ tools, ...change }));
  const pieces: Piece[] = [];
  let turn = 0;
  for (let at = 0; at < answer.length;) {
    const size = sizes[turn++ % sizes.length] ?? 1;
    pieces.push(...reader.take(answer.slice(at, at + size)));
    at += size;
  }
  const early = pieces.map(({ delta }) => delta).join('');
  const { pieces: rest, calls } = reader.end(true);
  const shown: string[] = [];
  let last: Piece['type'] | undefined;
  for (const { type, delta } of [...pieces, ...rest]) {
    const mark = type === 'text' ? '' : '~';
    if (type === last) shown.push(`${shown.pop() ?? ''}${delta}`);
    else shown.push(`${mark}${delta}`);
    last = type;
  }
  return { shown, calls: calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) as unknown })), early };
}

/** A call in the templates of models. */
const TEMPLATES: Readonly<Record<string, (name: string, args: Readonly<Record<string, unknown>>) => string>> = {
  'Qwen3-Coder': (name, args) => `<tool_call>\n${qwen(name, args)}\n</tool_call>`,
  'Qwen3-Coder without its tag': qwen,
  Hermes: (name, args) => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
  'bare JSON': (name, args) => JSON.stringify({ name, arguments: args }),
  'bare JSON over lines, arguments first': (name, args) => JSON.stringify({ arguments: args, name }, undefined, 2),
  'bare JSON with parameters': (name, args) => JSON.stringify({ name, parameters: args }),
  'bare JSON with arguments as text': (name, args) => JSON.stringify({ type: 'function', name, arguments: JSON.stringify(args) }),
  'bare JSON with a function in it': (name, args) => JSON.stringify({ type: 'function', function: { name, arguments: args } }),
  'Mistral, a list': (name, args) => `[TOOL_CALLS][${JSON.stringify({ name, arguments: args })}]`,
  'Mistral, a list with an id': (name, args) => `[TOOL_CALLS] [${JSON.stringify({ name, arguments: args, id: 'abcdefghi' })}]`,
  'Mistral, with arguments': (name, args) => `[TOOL_CALLS]${name}[ARGS]${JSON.stringify(args)}`,
  'Mistral, with an id': (name, args) => `[TOOL_CALLS]${name}[CALL_ID]abcdefghi[ARGS]${JSON.stringify(args)}`,
  harmony: (name, args) => `<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`,
  'harmony without its end': (name, args) => `<|channel|>commentary to=functions.${name} json<|message|>${JSON.stringify(args)}`,
  'harmony, the recipient first': (name, args) =>
    `<|start|>assistant to=functions.${name}<|channel|>commentary <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`,
  'DeepSeek V3': (name, args) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${JSON.stringify(args)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
  'DeepSeek V3.1': (name, args) =>
    `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${JSON.stringify(args)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
};

function qwen(name: string, args: Readonly<Record<string, unknown>>): string {
  const parameters = Object.entries(args).map(
    ([field, value]) => `<parameter=${field}>\n${typeof value === 'string' ? value : JSON.stringify(value)}\n</parameter>\n`,
  );
  return `<function=${name}>\n${parameters.join('')}</function>`;
}

const TEXT = fc
  .string({ unit: fc.constantFrom('a', 'b', '1', ' ', '"', '\\', '{', '}', '<', '\n', 'é', "'"), minLength: 1, maxLength: 20 })
  .filter((text) => text === text.trim());
const CALL = fc.oneof(
  fc.tuple(fc.constant('read'), fc.record({ file_path: TEXT, limit: fc.nat() }, { requiredKeys: ['file_path'], noNullPrototype: true })),
  fc.tuple(
    fc.constant('mcp__x__find-it'),
    fc.record({ query: TEXT, exact: fc.boolean(), in: fc.array(TEXT, { maxLength: 3 }) }, { requiredKeys: [], noNullPrototype: true }),
  ),
);
const SIZES = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 });
const READ = { file_path: 'a.ts' };

describe.each(Object.entries(TEMPLATES))('an answer in the template of %s', (title, write) => {
  it('that is one call of a tool is that call, and no part of it is shown', () => {
    fc.assert(
      fc.property(CALL, SIZES, fc.constantFrom('', '\n', ' \n'), ([name, args], sizes, space) => {
        const { shown, calls } = outcome(`${space}${write(name, args)}${space}`, sizes);
        expect(calls).toEqual([{ name, arguments: args }]);
        expect(shown.join('').trim()).toBe('');
      }),
      { numRuns: runs(40) },
    );
  });

  it('is a call behind thinking, also where the beginning of that was in the prompt', () => {
    for (const sizes of [[1], [1_000]]) {
      expect(outcome(`<think>Hm.</think>\n\n${write('read', READ)}`, sizes)).toMatchObject({ shown: ['~Hm.'], calls: [{ name: 'read', arguments: READ }] });
      const { shown, calls } = outcome(`Hm.\n</think>\n\n${write('read', READ)}`, sizes);
      expect(calls).toEqual([{ name: 'read', arguments: READ }]);
      expect(shown.map((words) => words.trim())).toEqual(['Hm.']);
    }
  });

  it('stays text with anything else in it, and with a name that is no tool', () => {
    const call = write('read', READ);
    const others = [
      `\`\`\`\n${call}\n\`\`\``,
      `\`${call}\``,
      `> ${call}`,
      write('reads', READ),
      write('rea', READ),
      write('constructor', READ),
      call.slice(0, -9),
    ];
    // Behind prose, and several, Hermes' form is a call.
    const mixed = title === 'Hermes' ? [] : [`I will read it.\n${call}`, `${call}\n${write('read', { file_path: 'b.ts' })}`, `${call}${call}`];
    for (const answer of [...others, ...mixed, `${call}\nis how it is called.`]) {
      for (const sizes of [[1], [7], [1_000]]) {
        const { shown, calls } = outcome(answer, sizes);
        expect(calls, answer).toEqual([]);
        expect(shown.join(''), answer).toBe(answer);
      }
    }
  });

  it('stays text where the model was given it, or said that it is cut off', () => {
    const call = write('read', { file_path: 'src/some/file.ts' });
    expect(outcome(call, [5], { messages: [user(`The log says:\n${call}`)] })).toMatchObject({ calls: [], shown: [call] });
    const reader = new TaggedText(request({ tools }));
    const text = [...reader.take(call), ...reader.end(false).pieces].map(({ delta }) => delta).join('');
    expect(text).toBe(call);
  });
});

describe('an answer that is JSON', () => {
  it('is shown as it comes as soon as it is no call', () => {
    for (const answer of [
      '{"version": 1, "rest": "…"}',
      '{"name": "my-package", "version": "1.0.0"}',
      '{ "type": "object", "properties": {} }',
      '[1, 2, 3, 4, 5, 6, 7, 8]',
      '<p>Hello, this is HTML</p>',
      '{}, which is empty',
    ]) {
      const { early, shown, calls } = outcome(answer, [1]);
      expect(shown).toEqual([answer]);
      expect(early).toBe(answer);
      expect(calls).toEqual([]);
    }
  });

  it('that only resembles a call is text', () => {
    for (const answer of [
      '{"name":"read"}',
      '{"name":"read","arguments":[]}',
      '{"name":"read","arguments":{},"version":1}',
      '{"name":"read","arguments":{},"parameters":{}}',
      '{"name":"read","arguments":"x"}',
      '[{"name":"read","arguments":{}}]',
      '{"arguments":{}}',
    ]) {
      expect(outcome(answer, [3])).toMatchObject({ shown: [answer], calls: [] });
    }
  });
});

describe('the end of thinking whose beginning was in the prompt', () => {
  it('is not shown where it stands alone, once', () => {
    for (const sizes of [[1], [4], [1_000]]) {
      expect(outcome('Hm.\n</think>\n\nYes.', sizes).shown).toEqual(['Hm.\n\nYes.']);
      expect(outcome('Hm.\r\n</think>\r\nYes.', sizes).shown).toEqual(['Hm.\r\nYes.']);
      expect(outcome('Hm.\n</think>', sizes).shown).toEqual(['Hm.\n']);
      expect(outcome('Hm.\n</think>\na\n</think>\nb', sizes).shown).toEqual(['Hm.\na\n</think>\nb']);
    }
  });

  it('is text in a sentence, in code, and on the way to another tag', () => {
    for (const answer of ['It ends with </think>.', '```\n</think>\n```', 'a\n</thinking>\nb', 'a\n</think> b', 'a\n</thi']) {
      for (const sizes of [[1], [4], [1_000]]) expect(outcome(answer, sizes).shown).toEqual([answer]);
    }
  });
});

it('a long call is held in a time in proportion to it', () => {
  const content = 'x = 1\n'.repeat(50_000);
  const { calls } = outcome(TEMPLATES['Qwen3-Coder']?.('read', { file_path: content }) ?? '', [20]);
  expect(calls).toEqual([{ name: 'read', arguments: { file_path: content } }]);
});

it('a parameter that holds the template itself is in doubt', () => {
  for (const file_path of ['a</function>b', '<function=read>', '</tool_call>', 'a\n<parameter=limit>'])
    expect(outcome(qwen('read', { file_path })).calls).toEqual([]);
});
