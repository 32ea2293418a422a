import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message, ToolResultMessage } from '../../../../src/domain/model/message.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { foundLine, type ToolSpec } from '../../../../src/domain/tool/tool.js';
import { anthropicModels } from '../../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { oldOutcome } from '../../../../src/session/codec/old-outcomes.js';
import { type ModelServer, reply, startModelServer } from '../../../support/model-server/index.js';
import { drain } from '../../../support/stream-conformance.js';
import { never, NOW, providerFor, request, user } from './rig.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: () => reply().text('ok') });
});
afterAll(() => server.close());

const spec = (name: string, deferral?: ToolSpec['deferral']): ToolSpec => ({
  name,
  description: name,
  parameters: { type: 'object', properties: {} },
  ...(deferral === undefined ? {} : { deferral }),
});
const FINDER = spec('find_tools', 'finder');
const TOOLS = [spec('mcp__a__x', 'deferred'), spec('read'), FINDER, spec('mcp__a__y', 'deferred')];

/** A result as a stored session has it. */
function stored(text: string, name = 'find_tools', isError = false): ToolResultMessage {
  const result: ToolResultMessage = { role: 'tool_result', toolCallId: 'c1', toolName: name, content: [{ type: 'text', text }], isError, timestamp: NOW };
  return { ...result, outcome: oldOutcome(result) };
}

/** A search, and what it found. */
function search(text: string, { name = 'find_tools', isError = false } = {}): readonly Message[] {
  const call = { type: 'tool_call' as const, id: 'c1', name, arguments: '{"query":"x"}' };
  return [
    user('Hi'),
    {
      role: 'assistant',
      content: [call],
      model: 'm',
      stopReason: 'tool_use',
      usage: { inputTokens: 1, outputTokens: 1 },
      timestamp: NOW,
    } as unknown as Message,
    stored(text, name, isError),
  ];
}

/** The body that arrives; the server refuses what the API would refuse. */
async function sent(change: Partial<Request>): Promise<{ readonly tools: readonly Record<string, unknown>[]; readonly content: unknown }> {
  await drain(providerFor(server).stream(request(change), never()));
  const body = server.requests.at(-1)?.body;
  const [block] = (body?.messages.at(-1)?.content ?? []) as readonly Record<string, unknown>[];
  return { tools: body?.tools ?? [], content: block?.['content'] };
}

describe('tools that are loaded as they are found', () => {
  it('are sent behind the others and marked, and nothing else is', async () => {
    const { tools } = await sent({ tools: TOOLS });
    expect(tools.map(({ name, defer_loading: deferred }) => [name, deferred])).toEqual([
      ['read', undefined],
      ['find_tools', undefined],
      ['mcp__a__x', true],
      ['mcp__a__y', true],
    ]);
    expect(JSON.stringify(tools)).not.toContain('deferral');
  });

  it('have no mark for the cache, which is on the last tool before them', async () => {
    const { tools } = await sent({ tools: TOOLS, systemPrompt: '' });
    expect(tools.map(({ cache_control: mark }) => mark !== undefined)).toEqual([false, true, false, false]);
  });

  it('take the place of the result of a search, those of them that are still there', async () => {
    const text = `${foundLine(['mcp__a__x', 'mcp__gone__z', 'read'])}\n{"name":"mcp__a__x"}`;
    expect((await sent({ tools: TOOLS, messages: search(text) })).content).toEqual([{ type: 'tool_reference', tool_name: 'mcp__a__x' }]);
  });

  it.each<[string, string, Parameters<typeof search>[1], readonly ToolSpec[]]>([
    ['nothing was found', 'No tool fits.', {}, TOOLS],
    ['all that was found is gone', foundLine(['mcp__gone__z']), {}, TOOLS],
    ['the search failed', foundLine(['mcp__a__x']), { isError: true }, TOOLS],
    ['another tool says so', foundLine(['mcp__a__x']), { name: 'read' }, TOOLS],
    ['the line is not the first', `text\n${foundLine(['mcp__a__x'])}`, {}, TOOLS],
    ['nothing is deferred', foundLine(['mcp__a__x']), {}, [spec('mcp__a__x'), FINDER]],
    ['there are no tools', foundLine(['mcp__a__x']), {}, []],
  ])('leave the result as it is where %s', async (_, text, over, tools) => {
    const { content } = await sent({ tools, messages: search(text, over) });
    expect(content).toMatchObject([{ type: 'text', text }]);
  });

  it('M-41: are the same bytes before and after a search', async () => {
    const before = await sent({ tools: TOOLS });
    const after = await sent({ tools: TOOLS, messages: search(foundLine(['mcp__a__x'])) });
    expect(JSON.stringify(after.tools)).toBe(JSON.stringify(before.tools));
  });
});

describe('which models load tools as they are found', () => {
  const loads = (model: string, baseUrl?: string): boolean | undefined =>
    createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => baseUrl }).loadsFoundTools?.(model);

  it('all of the catalog on Anthropic’s own servers, also by a dated id and as the default', () => {
    expect(anthropicModels.filter(({ id }) => loads(id) !== true)).toEqual([]);
    for (const id of ['', 'claude-opus-4-5-20251101']) expect(loads(id)).toBe(true);
    for (const address of ['', 'https://api.anthropic.com', 'https://api.anthropic.com/v1/']) expect(loads('claude-opus-5', address)).toBe(true);
  });

  it('none that is older or unknown, and none behind a gateway', () => {
    for (const id of ['claude-opus-4-1', 'claude-sonnet-4', 'claude-3-7-sonnet', 'claude-future-9', 'gpt-5']) expect(loads(id)).toBe(false);
    for (const address of ['https://gateway.example', 'https://api.anthropic.com.evil.example', 'no address'])
      expect(loads('claude-opus-5', address)).toBe(false);
  });
});

describe('the line of what was found, in a session that has nothing else of it', () => {
  const namesFound = (line: string): unknown => stored(`${line}\nmore`).outcome;
  it('is read as it was written, and nothing else is', () => {
    expect(namesFound(foundLine(['mcp__a__x', 'b-c']))).toEqual({ kind: 'found_tools', names: ['mcp__a__x', 'b-c'] });
    for (const line of ['Found: ', 'Found: a b', 'found: a', ' Found: a', 'Found: a,b', '\nFound: a', ''])
      expect(namesFound(line)).toEqual({ kind: 'found_tools', names: [] });
  });
});
