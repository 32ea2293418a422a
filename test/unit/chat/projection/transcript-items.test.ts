import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/domain/model/message.js';
import { denialForModel, denialWords } from '../../../../src/domain/tool/denial.js';
import type { JudgedDenial } from '../../../../src/domain/tool/denial.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { oldOutcome } from '../../../../src/session/codec/old-outcomes.js';
import { itemsOf } from '../../../../src/chat/projection/transcript-items.js';

const timestamp = '2026-01-01T00:00:00Z';
const user: Message = { role: 'user', content: [{ type: 'text', text: 'Go' }], timestamp };
const call = { type: 'tool_call' as const, id: 'c1', name: 'bash', arguments: '{"command":"ls -l"}' };
const asks: Message = {
  role: 'assistant',
  content: [{ type: 'text', text: 'First' }, call],
  stopReason: 'tool_use',
  rawStopReason: 'tool_use',
  usage: NO_USAGE,
  timestamp,
};
const result: Message = { role: 'tool_result', toolCallId: 'c1', toolName: 'bash', content: [{ type: 'text', text: 'a.ts' }], isError: false, timestamp };
const says = (text: string, stopReason: 'end_turn' | 'aborted' | 'error'): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  stopReason,
  rawStopReason: stopReason,
  usage: NO_USAGE,
  timestamp,
});

describe('itemsOf', () => {
  it('joins the rounds of an answer and puts results into their calls', () => {
    const items = itemsOf([user, asks, result, says('Done', 'end_turn')], {});
    expect(items).toMatchObject([
      { kind: 'user', text: 'Go' },
      {
        kind: 'answer',
        status: 'complete',
        blocks: [{ text: 'First' }, { call: { name: 'bash', subject: 'ls -l', status: 'done', output: 'a.ts' } }, { text: 'Done' }],
      },
    ]);
  });

  it('shows what broke off once, not once for each attempt; what the last attempt brought stays', () => {
    const texts = (...messages: readonly Message[]): unknown =>
      itemsOf([user, ...messages], {}).flatMap((item) =>
        item.kind === 'answer' ? item.blocks.map((block) => (block.type === 'text' ? block.text : block.type)) : [],
      );
    expect(texts(says('Half', 'error'), says('Half again', 'error'), says('Whole', 'end_turn'))).toEqual(['Whole']);
    expect(texts(says('Half', 'error'), says('Half again', 'error'))).toEqual(['Half again']);
    expect(texts(says('Half', 'error'), user, says('Whole', 'end_turn'))).toEqual(['Half', 'Whole']);
    expect(texts(says('Half', 'aborted'), says('Whole', 'end_turn'))).toEqual(['Half', 'Whole']);
  });

  it('marks an answer that was cut off', () => {
    expect(itemsOf([user, says('Half', 'aborted')], {}).at(-1)).toMatchObject({ kind: 'answer', status: 'interrupted' });
  });

  it('shows a denied call as denied, with the reason', () => {
    const denied = { ...result, isError: true, outcome: oldOutcome({ ...result, isError: true }, 'Not now.') };
    const [, answer] = itemsOf([user, asks, denied, says('Well', 'end_turn')], {});
    expect(answer).toMatchObject({ blocks: [{}, { call: { status: 'denied', problem: 'Not now.' } }, {}] });
  });

  it.each<[string, JudgedDenial]>([
    ['an unknown mode', { kind: 'unknown_mode', mode: 'a “mode”' }],
    ['no trust', { kind: 'untrusted' }],
    ['plan mode', { kind: 'plan_mode' }],
    ['a rule of the user', { kind: 'rule', rule: 'Bash(curl:*)', scope: 'user', what: 'curl `x`' }],
    ['a rule of the workspace', { kind: 'rule', rule: 'Read(in the user settings forbids)', scope: 'workspace', what: 'a' }],
    ['a rule of a file', { kind: 'rule', rule: 'Bash(rm:*)', scope: 'user', file: '~/.gnomon/settings.json', what: 'rm `in the file`' }],
    ['a rule of the chat', { kind: 'rule', rule: 'mcp__db', scope: 'session', what: 'mcp__db__query' }],
    ['nothing that allows it', { kind: 'nothing_allows' }],
  ])('says why it was denied in the words for the user that were shown live: %s', (_why, denial) => {
    const told = { ...result, isError: true };
    for (const outcome of [oldOutcome(told, denialForModel(denial)), { kind: 'denied', denial } as const]) {
      const [, answer] = itemsOf([user, asks, { ...told, outcome }], {});
      expect(answer).toMatchObject({ blocks: [{}, { call: { status: 'denied', problem: denialWords(denial) } }] });
    }
  });

  it('offers a way on where no answer was saved before a crash', () => {
    expect(itemsOf([user], {}).at(-1)).toMatchObject({ kind: 'notice', actions: ['retry'] });
    expect(itemsOf([user, asks, result], {}).at(-1)).toMatchObject({ kind: 'notice', actions: ['retry'] });
    expect(itemsOf([], {})).toEqual([]);
  });
});
