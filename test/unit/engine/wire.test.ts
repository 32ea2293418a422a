import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AssistantContent, ToolCallBlock } from '../../../src/domain/model/content.js';
import { type AssistantMessage, type Message, type StopReason, STOP_REASONS } from '../../../src/domain/model/message.js';
import { NO_USAGE } from '../../../src/domain/model/usage.js';
import { parseArguments } from '../../../src/engine/tool-call/arguments.js';
import { type WireTarget, buildRequest, toWire } from '../../../src/engine/wire.js';
import { brokenRules, TEST_MODEL } from '../../support/scripted-provider/index.js';
import { outline, user } from './rig.js';
import { runs } from '../../support/runs.js';

const timestamp = '2026-01-01T00:00:00Z';
const here: WireTarget = { model: TEST_MODEL, modelOf: () => 'scripted/model-1' };

function said(stopReason: StopReason, ...content: readonly (AssistantContent | string)[]): AssistantMessage {
  const blocks = content.map((block): AssistantContent => (typeof block === 'string' ? { type: 'text', text: block } : block));
  return { role: 'assistant', content: blocks, stopReason, rawStopReason: stopReason, usage: NO_USAGE, timestamp };
}

function thought(thinking: string, signature?: string): AssistantContent {
  return { type: 'thinking', thinking, ...(signature === undefined ? {} : { signature: Buffer.from(signature) }) };
}

function call(id: string, raw = '{}', name = 'read'): ToolCallBlock {
  return { type: 'tool_call', id, name, arguments: raw };
}

function result(toolCallId: string, words: string): Message {
  return { role: 'tool_result', toolCallId, toolName: 'read', content: [{ type: 'text', text: words }], isError: false, timestamp };
}

const wire = (messages: readonly Message[], target = here): readonly string[] => outline(toWire(messages, target));

describe('toWire', () => {
  test('an ordinary conversation goes as it is', () => {
    const messages = [user('a'), said('tool_use', thought('hm', 'proof'), 'Looking.', call('1')), result('1', 'x'), said('end_turn', 'Done.'), user('b')];
    expect(toWire(messages, here)).toEqual(messages);
  });

  test('stream-20: thinking goes only to the model that made it, and only with its proof', () => {
    const messages = [user('a'), said('end_turn', thought('signed', 'p'), thought('unsigned'), 'Text.'), said('end_turn', thought('alone', 'p')), user('b')];
    expect(wire(messages)).toEqual(['user: a', 'assistant(end_turn): (signed) Text.', 'user: b']);
    for (const modelOf of [() => 'other/model-1', () => 'scripted/model-2', () => undefined]) {
      expect(wire(messages, { model: TEST_MODEL, modelOf })).toEqual(['user: a', 'assistant(end_turn): Text.', 'user: b']);
    }
  });

  test('stream-20: redacted thinking needs its payload', () => {
    const redacted: AssistantContent = { type: 'thinking', thinking: '', redacted: true };
    const whole: AssistantContent = { ...redacted, signature: Buffer.from('payload') };
    expect(toWire([user('a'), said('end_turn', redacted, whole, 'x'), user('b')], here)[1]?.content).toEqual([whole, { type: 'text', text: 'x' }]);
  });

  test('of an answer that broke off the text stays, until another answer took its place', () => {
    const half = said('aborted', thought('hm', 'p'), 'Half', call('1', '{"a'));
    const rest = [result('1', 'Not executed')];
    expect(wire([user('a'), half, ...rest, user('b')])).toEqual(['user: a', 'assistant(aborted): Half', 'user: b']);
    expect(wire([user('a'), half, ...rest])).toEqual(['user: a']);
    expect(wire([user('a'), half, ...rest, said('end_turn', 'Whole.'), user('b')])).toEqual(['user: a', 'assistant(end_turn): Whole.', 'user: b']);
  });

  test('results stand directly behind their call, each call once, strays nowhere', () => {
    const messages = [
      user('a'),
      said('tool_use', call('1'), call('2'), call('3')),
      result('2', 'two'),
      user('b'),
      result('1', 'one'),
      result('1', 'again'),
      result('9', 'stray'),
    ];
    expect(wire(messages)).toEqual([
      'user: a',
      'assistant(tool_use): read#1 read#2 read#3',
      'result#1: one',
      'result#2: two',
      'result#3!: No result was recorded.',
      'user: b',
    ]);
  });

  test('arguments that are no object go as one, so that the model sees what it wrote', () => {
    const sent = toWire([user('a'), said('length', call('1', '{"path":"a'))], here)[1]?.content[0] as ToolCallBlock;
    expect(JSON.parse(sent.arguments)).toEqual({ unparsed_arguments: '{"path":"a' });
  });

  test('of arguments in a fence or in quotes only the object goes, as it was written', () => {
    for (const raw of ['```json\n{"n":1e400}\n```', '"{\\"n\\":1e400}"']) {
      const sent = toWire([user('a'), said('tool_use', call('1', raw))], here)[1]?.content[0] as ToolCallBlock;
      expect(sent.arguments).toBe('{"n":1e400}');
    }
  });

  test('a model without eyes gets words instead of images, blank text goes nowhere', () => {
    const image = { type: 'image' as const, data: new Uint8Array([1]), mimeType: 'image/png' as const };
    const messages: Message[] = [{ role: 'user', content: [image, { type: 'text', text: ' ' }], timestamp }, user('\n'), user('b')];
    const blind = { ...here, model: { ...TEST_MODEL, supportsImages: false } };
    expect(toWire(messages, here)).toEqual([{ role: 'user', content: [image], timestamp }, user('b')]);
    expect(wire(messages, blind)[0]).toMatch(/An image, left out/);
  });

  test('whatever the history holds, what goes out is accepted', () => {
    const text = fc.constantFrom('', ' \n', 'words', 'half \ud83d', 'a\u0000b');
    const raw = fc.constantFrom('{}', '{"a":1}', '', '{"a', '[]', 'null', '{}{}', '['.repeat(9_000));
    const id = fc.constantFrom('1', '2', 'odd id!', '', 'x'.repeat(100));
    const block = fc.oneof(
      text.map((words): AssistantContent => ({ type: 'text', text: words })),
      fc.boolean().map((signed) => thought('hm', signed ? 'p' : undefined)),
      fc.tuple(id, raw, fc.constantFrom('read', 'odd name')).map(([a, b, c]) => call(a, b, c)),
    );
    const message = fc.oneof(
      text.map(user),
      fc.tuple(fc.constantFrom(...STOP_REASONS), fc.array(block, { maxLength: 4 })).map(([reason, blocks]) => said(reason, ...blocks)),
      fc.tuple(id, text).map(([to, words]) => result(to, words)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), fc.boolean(), (history, known) => {
        const target: WireTarget = { model: TEST_MODEL, modelOf: (index) => (known || index % 2 === 0 ? 'scripted/model-1' : undefined) };
        const messages = toWire([...history, user('next')], target);
        expect(brokenRules({ model: 'm', systemPrompt: '', tools: [], messages })).toEqual([]);
        // What was sent before stays as it was, so that prompt caches hold.
        const before = toWire([...history, user('next')], target);
        const after = toWire([...history, user('next'), said('end_turn', 'Done.'), user('more')], target);
        expect(after.slice(0, before.length)).toEqual(before);
      }),
      { numRuns: runs(500) },
    );
  });
});

describe('buildRequest', () => {
  const input = { systemPrompt: 'Be good.', messages: [user('a')], tools: [], effort: 'medium' as const };

  test('thinking is asked for where the person wants it and the model can', () => {
    expect(buildRequest(input, here)).toMatchObject({ model: 'model-1', systemPrompt: 'Be good.', effort: 'medium' });
    expect(buildRequest({ ...input, effort: 'off' }, here)).not.toHaveProperty('effort');
    expect(buildRequest(input, { ...here, model: { ...TEST_MODEL, efforts: [] } })).not.toHaveProperty('effort');
  });

  test('names the session to the cache of the provider where it has a name', () => {
    expect(buildRequest({ ...input, cacheKey: 'session-1' }, here)).toMatchObject({ cacheKey: 'session-1' });
    expect(buildRequest(input, here)).not.toHaveProperty('cacheKey');
  });

  test('thinking rests for the turn whose thinking was left out, and returns with the next message', () => {
    const turn = [user('a'), said('tool_use', thought('hm', 'p'), call('1')), result('1', 'x')];
    const elsewhere: WireTarget = { model: TEST_MODEL, modelOf: () => 'other/x' };
    expect(buildRequest({ ...input, messages: turn }, here)).toHaveProperty('effort');
    expect(buildRequest({ ...input, messages: turn }, elsewhere)).not.toHaveProperty('effort');
    expect(buildRequest({ ...input, messages: [...turn, said('end_turn', 'x'), user('b')] }, elsewhere)).toHaveProperty('effort');
  });
});

describe('parseArguments', () => {
  test('reads what JSON reads, and nothing that is cut off', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (value) => {
        const raw = JSON.stringify(value);
        expect(parseArguments(raw)).toEqual({ ok: true, value: JSON.parse(raw) as unknown, text: raw });
        expect(parseArguments(raw.slice(0, -1)).ok).toBe(false);
      }),
    );
  });

  test('brackets in strings are not nesting; 5 MB of quotes take no time', () => {
    expect(parseArguments(JSON.stringify({ a: '['.repeat(1_000), b: '\\"[' })).ok).toBe(true);
    expect(parseArguments('"\\'.repeat(1_000_000)).ok).toBe(false);
  });
});
