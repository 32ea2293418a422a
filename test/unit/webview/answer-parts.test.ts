import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CACHE_BREAK_REASONS } from '../../../src/domain/session/context.js';
import type { ViewAnswerItem, ViewBlock, ViewCallStatus, ViewToolCall } from '../../../src/protocol/view-state.js';
import { cacheBreakText, cacheRows, factRows } from '../../../webview/state/transcript/fact-rows.js';
import { isEmpty } from '../../../webview/state/transcript/empty-answer.js';
import { lasted } from '../../../webview/state/transcript/lasted.js';
import { answerRows, groupTitle } from '../../../webview/state/transcript/tool-groups.js';

const tool = (over: Partial<ViewToolCall> = {}): ViewBlock => ({
  type: 'tool',
  call: { id: 'c', name: 'read', subject: 'a', status: 'done', output: '', ...over },
});
const words: ViewBlock = { type: 'text', text: 'x' };

const resting = { streaming: false, planShown: false };
const streaming = { streaming: true, planShown: false };

describe('calls that only read', () => {
  test('two or more in a row are one row, in place', () => {
    expect(answerRows([words, tool(), tool({ name: 'grep' }), tool(), words], resting)).toMatchObject([
      { kind: 'block', index: 0 },
      { kind: 'group', index: 1, calls: [{ index: 1 }, { index: 2 }, { index: 3 }] },
      { kind: 'block', index: 4 },
    ]);
    expect(answerRows([tool(), tool()], resting).map(({ kind }) => kind)).toEqual(['group']);
    expect(answerRows([tool(), words, tool()], resting).map(({ kind }) => kind)).toEqual(['block', 'block', 'block']);
  });

  test('those that changed the plan are left out while it is shown elsewhere, unless they failed', () => {
    const blocks = [tool({ name: 'todo' }), tool({ name: 'todo', status: 'failed' }), tool({ name: 'todo', status: 'running' })];
    expect(answerRows(blocks, { streaming: true, planShown: true })).toEqual([{ kind: 'block', index: 1 }]);
    expect(answerRows(blocks, streaming)).toHaveLength(3);
  });

  test('the newest stay as they are while the answer goes on', () => {
    const blocks = [tool(), tool(), tool()];
    expect(answerRows(blocks, streaming)).toHaveLength(3);
    expect(answerRows([...blocks, words], streaming)).toHaveLength(2);
    expect(answerRows(blocks, resting)).toHaveLength(1);
  });

  test('none that waits, runs, failed, changes or shows something is ever folded, and none is lost', () => {
    const statuses: readonly ViewCallStatus[] = ['streaming', 'pending', 'awaiting_approval', 'running', 'done', 'failed', 'denied', 'cancelled'];
    const block = fc.oneof(
      fc.constant(words),
      fc.record({ name: fc.constantFrom('read', 'grep', 'glob', 'bash', 'edit', 'toString'), status: fc.constantFrom(...statuses) }).map((over) => tool(over)),
      fc.constant(tool({ images: 1 })),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 20 }), fc.boolean(), (blocks, isStreaming) => {
        const rows = answerRows(blocks, { streaming: isStreaming, planShown: false });
        const shown = rows.flatMap((row) => (row.kind === 'block' ? [row.index] : row.calls.map(({ index }) => index)));
        expect(shown).toEqual(blocks.map((_, index) => index));
        for (const row of rows) {
          if (row.kind === 'group')
            for (const { call } of row.calls)
              expect([call.status, call.images, ['read', 'grep', 'glob'].includes(call.name)]).toEqual(['done', undefined, true]);
        }
      }),
    );
  });

  test.each([
    [['read', 'read', 'grep', 'read', 'grep'], 'Read 3 files, searched twice'],
    [['grep', 'read', 'glob'], 'Searched once, read 1 file, searched for files once'],
    [['symbols', 'symbols', 'diagnostics'], 'Looked up symbols twice, checked for problems once'],
  ])('%j is told as “%s”', (names, title) => {
    expect(groupTitle(names.map((name) => ({ name })))).toBe(title);
  });
});

test.each([
  [0, '0.1 s'],
  [420, '0.4 s'],
  [1_240, '1.2 s'],
  [4_000, '4 s'],
  [12_300, '12 s'],
  [59_600, '1 min'],
  [125_000, '2 min 5 s'],
])('%d milliseconds are “%s”', (ms, text) => {
  expect(lasted(ms)).toBe(text);
});

test('an answer is empty when the model was asked and said nothing', () => {
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const answer: ViewAnswerItem = { kind: 'answer', id: 'a0', blocks: [], status: 'complete', time: '2026-01-01T00:00:00Z', summary: '' };
  expect(isEmpty({ ...answer, facts: { rounds: 1, usage } })).toBe(true);
  expect(isEmpty(answer)).toBe(true);
  expect(isEmpty({ ...answer, facts: { rounds: 0, usage } })).toBe(false);
  expect(isEmpty({ ...answer, blocks: [words] })).toBe(false);
  expect(isEmpty({ ...answer, status: 'failed' })).toBe(false);
});

function rowsOf(costUsd: number): readonly string[] {
  const usage = { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return factRows({ rounds: 1, usage, costUsd }, '', undefined).map(({ name, value }) => `${name}: ${value}`);
}

test('the details of an answer leave out what is not known', () => {
  const usage = { inputTokens: 1_204, outputTokens: 80, cacheReadTokens: 0, cacheWriteTokens: 7 };
  const rows = factRows({ rounds: 2, usage }, 'no time', undefined);
  expect(rows.map(({ name, value }) => `${name}: ${value}`)).toEqual([
    'Steps: 2',
    'Input tokens: 1,211',
    'Read from cache: 0 (0%)',
    'Written to cache: 7',
    'Output tokens: 80',
    'Cost: Unknown',
  ]);
  const all = factRows({ rounds: 1, usage, costUsd: 0.0214, durationMs: 2_000 }, '2026-01-01T00:00:00Z', 'Opus').map(({ name }) => name);
  expect(rowsOf(0.0214)).toContain('Cost: $0.02');
  expect(rowsOf(0.0004)).toContain('Cost: < $0.01');
  // What costs nothing, such as a model on the user's own machine, has no cost.
  expect(rowsOf(0).join()).not.toContain('Cost');
  expect(all).toEqual(['Time', 'Model', 'Steps', 'Duration', 'Input tokens', 'Read from cache', 'Written to cache', 'Output tokens', 'Cost']);
});

test('how much of the input came from the cache is rounded down; without a cache nothing is said of one', () => {
  const usage = { inputTokens: 1_000, outputTokens: 80, cacheReadTokens: 98_999, cacheWriteTokens: 0 };
  expect(cacheRows(usage)).toEqual([{ name: 'Read from cache', value: '98,999 (98%)' }]);
  expect(cacheRows({ ...usage, cacheReadTokens: 0 })).toEqual([]);
});

test('every reason to write the cache anew is told in words of its own, with what it took', () => {
  const texts = CACHE_BREAK_REASONS.map((reason) => cacheBreakText({ reason, tokens: 84_000 }));
  expect(texts[0]).toBe('The cache was written anew: the model was changed (84,000 tokens).');
  expect(new Set(texts).size).toBe(CACHE_BREAK_REASONS.length);
  for (const text of texts) expect(text).toContain('(84,000 tokens)');
});
