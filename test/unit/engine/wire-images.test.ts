import { describe, expect, test } from 'vitest';
import type { ImageBlock } from '../../../src/domain/model/content.js';
import { ProviderError } from '../../../src/domain/errors.js';
import type { Message } from '../../../src/domain/model/message.js';
import type { Request } from '../../../src/domain/model/provider.js';
import { imagesLeftOut } from '../../../src/engine/wire-images.js';
import { toWire } from '../../../src/engine/wire.js';
import { type Script, answers, calls, stops, TEST_MODEL } from '../../support/scripted-provider/index.js';
import { type Rig, rig, testTool } from './rig.js';

const MB = 1024 * 1024;
const timestamp = '2026-01-01T00:00:00Z';

const image = (bytes = 10): { readonly type: 'image'; readonly mimeType: 'image/png'; readonly data: Uint8Array } => ({
  type: 'image',
  mimeType: 'image/png',
  data: new Uint8Array(bytes),
});
const shown = (bytes?: number): Message => ({ role: 'user', content: [{ type: 'text', text: 'look' }, image(bytes)], timestamp });
const sent = (messages: readonly Message[]): number => messages.flatMap(({ content }) => content.filter(({ type }) => type === 'image')).length;
const target = { model: TEST_MODEL, modelOf: () => undefined };

describe('stream-23: of many images the newest go to a model', () => {
  test('twenty, and ten once there were more, so that the beginning stays the same for a while', () => {
    const left = [10, 20, 21, 25, 30, 31, 32].map((count) => imagesLeftOut(Array.from({ length: count }, () => shown())));
    expect(left).toEqual([0, 0, 11, 11, 11, 11, 22]);
  });

  test('20 MB, the newest in any case', () => {
    const sizes = (...megabytes: readonly number[]): readonly Message[] => megabytes.map((size) => shown(size * MB));
    expect([sizes(5, 5, 5, 5), sizes(5, 5, 5, 5, 1), sizes(4, 4, 4, 4, 4, 4), sizes(30)].map((messages) => imagesLeftOut(messages))).toEqual([0, 3, 4, 0]);
  });

  test('a line stands for each that is left out, and all else goes as it was', () => {
    const messages = Array.from({ length: 25 }, () => shown());
    const wire = toWire(messages, target);
    expect(sent(wire)).toBe(14);
    expect(wire[0]?.content).toEqual([
      { type: 'text', text: 'look' },
      { type: 'text', text: '[An image, left out to save room. Read it again if it is needed.]' },
    ]);
    expect(wire[24]).toEqual(messages[24]);
  });
});

/** A session whose model reads so many images, and what it was sent. */
function reading(count: number, ...ends: readonly Script[]): Rig {
  const look = testTool('read', { execute: () => ({ content: [image()], isError: false }) });
  const reads = Array.from({ length: count }, (_, index) => [...calls(0, `c${index}`, { name: 'read', args: { on: String(index) } }), ...stops('tool_use')]);
  return rig({ maxRounds: 100, tools: [look], scripts: [...reads, ...ends] });
}

const go = [{ type: 'text' as const, text: 'go' }];
const imagesIn = (requests: readonly Request[]): readonly number[] => requests.map(({ messages }) => sent(messages));

describe('stream-23: a session with images goes on', () => {
  test('forty of them', async () => {
    const { session, provider } = reading(40, answers('Seen.'), answers('And more.'));
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(Math.max(...imagesIn(provider.requests))).toBe(20);
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(provider.broken).toEqual([]);
  });

  test('when a server finds a request too large: half of them go, again and again', async () => {
    const tooLarge = [new ProviderError('too_large', 'Too large.', { status: 413 })];
    const { session, provider } = reading(6, tooLarge, tooLarge, answers('Seen.'), answers('And more.'));
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(imagesIn(provider.requests).slice(-3)).toEqual([6, 3, 1]);
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(imagesIn(provider.requests).at(-1)).toBe(1);
  });

  test('when a server names the one that it does not take: the others stay', async () => {
    const refuse = ({ messages }: Request): readonly [ProviderError] => {
      const last = messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'image' ? [block] : []))).slice(-1);
      return [new ProviderError('invalid_request', 'Could not process image', { status: 400, refusedImages: last })];
    };
    const { session, provider } = reading(3, refuse, answers('Seen.'), answers('And more.'));
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(imagesIn(provider.requests).slice(-2)).toEqual([3, 2]);
    expect(JSON.stringify(provider.requests.at(-1)?.messages.at(-1))).toContain('refused');
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(imagesIn(provider.requests).at(-1)).toBe(2);
  });

  test('when a server names again what was left out, the oldest go', async () => {
    const named: ImageBlock[] = [];
    const refuse = ({ messages }: Request): readonly [ProviderError] => {
      if (named.length === 0) named.push(...messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'image' ? [block] : []))).slice(-1));
      return [new ProviderError('invalid_request', 'Could not process image', { status: 400, refusedImages: named })];
    };
    const { session, provider } = reading(4, refuse, refuse, refuse, refuse, refuse);
    expect(await session.send(go).turn).toMatchObject({ end: 'error' });
    expect(imagesIn(provider.requests).slice(-4)).toEqual([4, 3, 1, 0]);
  });

  test('when a server does not take one of them', async () => {
    const refused = [new ProviderError('invalid_request', 'Could not process image', { status: 400, refusedImages: [] })];
    const { session, provider } = reading(2, refused, refused, answers('Blind.'));
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(imagesIn(provider.requests).slice(-3)).toEqual([2, 1, 0]);
  });

  test('a request without images that is too large is summarized, once', async () => {
    const tooLarge = [new ProviderError('too_large', 'Too large.', { status: 413 })];
    const { session, provider } = rig({
      scripts: [answers('Earlier.'), tooLarge, answers('Summary.'), answers('Done.'), tooLarge, answers('Summary.'), tooLarge],
    });
    await session.send(go).turn;
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expect(JSON.stringify(provider.requests.at(-1)?.messages)).toContain('Summary.');
    expect(await session.send(go).turn).toMatchObject({ end: 'error' });
  });
});
