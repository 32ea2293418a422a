import { describe, expect, it } from 'vitest';
import { textTokens } from '../../../../src/text/text-tokens.js';
import { requestParts } from '../../../../src/chat/requests/request-parts.js';

const parts = (body: unknown): readonly (readonly [string, number])[] => requestParts(JSON.stringify(body)).map(({ name, tokens }) => [name, tokens]);
const names = (body: unknown): readonly string[] => parts(body).map(([name]) => name);
const LONG = 'Some words about code. '.repeat(50);

describe('the parts of a body', () => {
  it('of Messages are system prompt, tools, and each message with its role', () => {
    const found = parts({
      model: 'm',
      system: [{ type: 'text', text: LONG, cache_control: { type: 'ephemeral' } }],
      tools: [{ name: 'read', description: LONG, input_schema: {} }, { name: 'write' }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: LONG }] },
        { role: 'assistant', content: 'Yes.' },
      ],
    });
    expect(found.map(([name]) => name)).toEqual(['System prompt', 'Tools (2)', 'Message 1: user', 'Message 2: assistant']);
    for (const [, tokens] of found.slice(0, 3)) expect(Math.abs(tokens - textTokens(LONG))).toBeLessThan(40);
    expect(found[3]?.[1]).toBeLessThan(10);
  });

  it('of the other formats are named the same', () => {
    expect(
      names({
        messages: [
          { role: 'system', content: 'a' },
          { role: 'tool', tool_call_id: 'x', content: 'b' },
        ],
      }),
    ).toEqual(['Message 1: system', 'Message 2: tool']);
    expect(
      names({
        instructions: 'a',
        input: [
          { type: 'function_call', arguments: '{}' },
          { role: 'user', content: 'x' },
        ],
      }),
    ).toEqual(['System prompt', 'Message 1: function_call', 'Message 2: user']);
    expect(names({ input: 'a' })).toEqual(['Message 1: user']);
    expect(names({ prompt: 'a', suffix: 'b' })).toEqual(['Prompt', 'Suffix']);
  });

  it('count an image as the engine does, not by its letters', () => {
    const data = 'iVBORw0KGgo'.repeat(100_000);
    const anthropic = parts({ messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }] }] });
    const chat = parts({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } }] }] });
    for (const [[, tokens] = ['', 0]] of [anthropic, chat]) expect(tokens).toBeLessThan(1_700);
  });

  it.each([['not json'], ['[]'], ['null'], ['5'], ['{"messages":5,"tools":{},"system":null}'], ['{"messages":[null,5,"x"]}']])(
    'of %s are none, or nameless',
    (body) => {
      for (const { name, tokens } of requestParts(body)) expect([name.endsWith('?'), tokens >= 0]).toEqual([true, true]);
    },
  );
});
