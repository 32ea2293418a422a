import { describe, expect, test } from 'vitest';
import type { Spent } from '../../../../src/domain/model/usage.js';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { Message } from '../../../../src/domain/model/message.js';
import type { SessionMeta } from '../../../../src/domain/session/session-store.js';
import { quickFolder } from '../../../support/temporary-folder.js';
import { type Script, answers, calls, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { each } from '../../session/support/each.js';
import { type Fault, FaultyFiles } from '../../session/support/faulty-files.js';
import { nodeFiles, TestProcesses, testStore } from '../../session/support/setup.js';
import { ok, rig, testTool, user } from '../rig.js';

const ID = '1771416000000000000';
const hello = [{ type: 'text' as const, text: 'hello' }];
/** Each costs one dollar with the prices of the test model. */
const DOLLAR = { inputTokens: 1_000_000, outputTokens: 0 };
const work = (id: string): Script => [...calls(0, id, { name: 'read', args: { on: 'x' } }), ...stops('tool_use', DOLLAR)];
const done: Script = [...answers('Done.').slice(0, -2), ...stops('end_turn', DOLLAR)];
/** Two turns of three requests each. */
const SCRIPTS = [work('a'), work('b'), done, work('c'), work('d'), done];

/** Scripts that note when they are asked for. */
function noting(scripts: readonly Script[], note: () => void): readonly Script[] {
  return scripts.map((script): Script => (request) => {
    note();
    return typeof script === 'function' ? script(request) : script;
  });
}

/** A chat of two turns, in a process that ends at a file operation. */
async function play(fault?: Fault) {
  const folder = quickFolder();
  const processes = new TestProcesses();
  const probe = processes.start();
  const files = new FaultyFiles(nodeFiles());
  /** Operations that had begun when each request was sent. */
  const sent: number[] = [];
  const open = await testStore(folder, { files, processes: probe, newId: () => ID }).create('s');
  const before = files.operations;
  if (fault !== undefined) files.fault = { ...fault, at: before + fault.at };
  const scripts = noting(SCRIPTS, () => sent.push(files.operations - before));
  // The engine goes on in memory; of what it does after the fault, the disk has nothing.
  const { session } = rig({ open, tools: [testTool('read')], scripts });
  for (let turn = 0; turn < 2; turn += 1) await session.send(hello).turn;
  await session.close().catch(() => undefined);
  probe.end();
  return { folder, processes, operations: files.operations - before, sent };
}

/** Answers that a conversation has whole. */
function answersIn(messages: readonly Message[]): number {
  return messages.filter((message) => message.role === 'assistant' && message.stopReason !== 'aborted').length;
}

async function checkKilledAt(fault: Fault): Promise<void> {
  const where = `${fault.how} at ${fault.at}`;
  const { folder, processes, sent } = await play(fault);
  // A request is sent when those before it are over and recorded.
  const finished = Math.max(0, sent.filter((operations) => operations < fault.at).length - 1);
  const store = testStore(folder, { processes: processes.start(), waitMs: 2_000 });
  if ((await store.list()).length === 0) {
    expect(finished, where).toBe(0);
    return;
  }
  const open = await store.open(ID);
  const least = Math.max(finished, answersIn(open.session.messages));
  const { session, provider } = rig({ open, caps: () => ({ maxCostUsd: least === 0 ? 5 : least }), scripts: [done] });
  expect(session.costUsd, where).toBeGreaterThanOrEqual(least);
  expect(session.costUsd, where).toBeLessThanOrEqual(SCRIPTS.length);
  const turn = await session.send(hello).turn;
  if (least === 0) expect(turn.end, where).toBe('end_turn');
  else expect([turn.end, turn.reached?.used, provider.requests.length], where).toEqual(['cap', session.costUsd, 0]);
  await session.close();
}

describe('a process that is killed in a turn', () => {
  for (const how of ['kill', 'kill-after'] as const) {
    test(`leaves a chat whose cost includes each request that was over, and whose limit holds (${how}, every operation)`, async () => {
      const { operations } = await play();
      expect(operations).toBeGreaterThan(60);
      await each(operations, 1, (at) => checkKilledAt({ at, how, code: '' }));
    }, 60_000);
  }
});

describe('what was used is stored', () => {
  const search = testTool('read', { execute: () => ({ ...ok('Found.'), spent: { usage: { ...NOTHING, inputTokens: 5 }, costUsd: 2 } satisfies Spent }) });
  const NOTHING = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

  test('before the next request is sent, with what the tools have used', async () => {
    const stored: unknown[] = [];
    const scripts = noting([work('a'), work('b'), done], () => stored.push(recorder.meta['costUsd']));
    const { session, recorder } = rig({ tools: [search], scripts });
    await session.send(hello).turn;
    expect([...stored, recorder.meta['costUsd']]).toEqual([0, 3, 6, 7]);
  });

  test('of requests that failed, too', async () => {
    const stored: unknown[] = [];
    const broken: Script = [{ type: 'usage', usage: DOLLAR }, new ProviderError('overloaded', 'Busy.')];
    const scripts = noting([broken, done], () => stored.push(recorder.meta['costUsd']));
    const { session, recorder } = rig({ scripts, maxRetries: 1, wait: () => Promise.resolve() });
    await session.send(hello).turn;
    expect([...stored, recorder.meta['costUsd']]).toEqual([0, 1, 2]);
  });

  test('once for each request, however many parts its answer comes in', async () => {
    const { session, recorder } = rig({ tools: [testTool('read')], scripts: [work('a'), work('b'), answers('One. '.repeat(100))] });
    await session.send(hello).turn;
    // At the beginning of the turn, for each request, and at the end.
    expect(recorder.calls.filter((call) => call === 'meta')).toHaveLength(5);
    expect(recorder.meta['models']).toEqual({ 1: 'scripted/model-1', 3: 'scripted/model-1', 5: 'scripted/model-1' });
  });
});

describe('a stored session without its cost', () => {
  const answer = (inputTokens: number): Message => ({
    role: 'assistant',
    content: [{ type: 'text', text: 'Yes.' }],
    stopReason: 'end_turn',
    rawStopReason: 'end_turn',
    usage: { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
    timestamp: '2026-01-01T00:00:00Z',
  });
  const messages = [user('a'), answer(1_000_000), user('b'), answer(2_000_000)];
  const models = { 1: 'scripted/model-1', 3: 'scripted/other' };
  const OTHER = { ...TEST_MODEL, id: 'other', pricing: { input: 3, output: 2, cacheRead: 0.1, cacheWrite: 1.25 } };
  const summary = { upTo: 2, summary: 'S', trigger: 'manual', createdAt: '2026-01-01T00:00:00Z', tokensBefore: 9, tokensAfter: 1 } as const;
  const findModel = (key: string) => [TEST_MODEL, OTHER].find(({ provider, id }) => `${provider}/${id}` === key);
  const costOf = (meta: SessionMeta): number | undefined => rig({ messages, meta, findModel }).session.costUsd;

  test('is priced again from its answers and their models', () => {
    expect(costOf({ models })).toBe(7);
  });

  test('has an unknown cost where the model of an answer is not stored, or has no price', () => {
    expect(costOf({ models: { 1: 'scripted/model-1' } })).toBeUndefined();
    expect(costOf({ models: { ...models, 3: 'scripted/gone' } })).toBeUndefined();
  });

  test('has an unknown cost where that is what was stored', () => {
    expect(costOf({ models, byModel: {} })).toBeUndefined();
  });

  test('has an unknown cost where it paid for a summary, which a branch did not for those that it began with', () => {
    expect(costOf({ models, compactions: [{ ...summary, at: 3 }] })).toBeUndefined();
    expect(costOf({ models, compactions: [{ ...summary, at: 3 }], parent: { id: 'p', count: 4 } })).toBe(7);
    expect(costOf({ models, compactions: [{ ...summary, at: 4 }], parent: { id: 'p', count: 2 } })).toBeUndefined();
  });

  test('says under a limit what is true of it', async () => {
    const { session } = rig({ messages, meta: { models: {} }, caps: () => ({ maxCostUsd: 5 }) });
    const { error } = await session.send(hello).turn;
    expect(String(error)).toContain('its cost so far is unknown because the model or the price of some requests is unknown');
  });
});
