import { describe, expect, test } from 'vitest';
import type { ViewBlock, ViewCallStatus } from '../../../src/protocol/view-state.js';
import { firstShown } from '../../../webview/state/transcript/answer-fold.js';
import { answerRows } from '../../../webview/state/transcript/tool-groups.js';

const call = (status: ViewCallStatus): ViewBlock => ({ type: 'tool', call: { id: 'c', name: 'bash', subject: 'ls', status, output: '' } });
const calls = (count: number): ViewBlock[] => Array.from({ length: count }, () => call('done'));
const nothing = { from: undefined, found: undefined };
const first = (blocks: readonly ViewBlock[], wishes: Partial<Parameters<typeof firstShown>[2]> = {}): number =>
  firstShown(answerRows(blocks, { streaming: false, planShown: false }), blocks, { ...nothing, ...wishes });

describe('an answer of many steps', () => {
  test('a usual one is shown whole', () => {
    expect(first(calls(0))).toBe(0);
    expect(first(calls(60))).toBe(0);
    expect(first(calls(79))).toBe(0);
  });

  test('of a long one the newest are, and what is folded grows in steps', () => {
    expect(first(calls(80))).toBe(20);
    expect(first(calls(99))).toBe(20);
    expect(first(calls(500))).toBe(440);
  });

  test('what the person wants to see, or looks for, is shown', () => {
    expect(first(calls(500), { from: 380 })).toBe(380);
    expect(first(calls(500), { from: 0 })).toBe(0);
    expect(first(calls(500), { found: 3 })).toBe(3);
    expect(first(calls(500), { found: 499 })).toBe(440);
  });

  test('what waits for the person, or runs, is never folded', () => {
    expect(first([...calls(10), call('awaiting_approval'), ...calls(200)])).toBe(10);
    expect(first([...calls(12), call('running'), ...calls(200)])).toBe(12);
  });

  test('what is looked for in folded reads is shown', () => {
    const reads = Array.from({ length: 5 }, (): ViewBlock => ({ type: 'tool', call: { id: 'r', name: 'read', subject: 'a', status: 'done', output: '' } }));
    expect(first([...reads, ...calls(200)], { found: 2 })).toBe(0);
  });
});
