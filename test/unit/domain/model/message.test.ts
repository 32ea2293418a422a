import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AssistantContent, text } from '../../../../src/domain/model/content.js';
import {
  type AssistantMessage,
  hasToolCalls,
  type Message,
  textContent,
  toolCalls,
  type ToolResultMessage,
  unansweredToolCalls,
  type UserMessage,
} from '../../../../src/domain/model/message.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { conversations, messages } from '../../../support/arbitraries.js';

const AT = '2026-01-02T03:04:05Z';
const call = (id: string) => ({ type: 'tool_call', id, name: 'read', arguments: '{}' }) as const;
const user: UserMessage = { role: 'user', content: [text('hi')], timestamp: AT };

function assistant(...content: readonly AssistantContent[]): AssistantMessage {
  return { role: 'assistant', content, stopReason: 'tool_use', rawStopReason: 'tool_use', usage: NO_USAGE, timestamp: AT };
}

function result(toolCallId: string): ToolResultMessage {
  return { role: 'tool_result', toolCallId, toolName: 'read', content: [text('ok')], isError: false, timestamp: AT };
}

describe('helpers of one message (G5)', () => {
  const mixed = assistant({ type: 'thinking', thinking: 'hm' }, text('a'), call('1'), text('b'), call('2'));

  it('toolCalls gives the calls in order', () => {
    expect(toolCalls(mixed)).toEqual([call('1'), call('2')]);
    expect(toolCalls(user)).toEqual([]);
  });

  it('textContent joins the text and nothing else', () => {
    expect(textContent(mixed)).toBe('ab');
    expect(textContent(assistant(call('1')))).toBe('');
    expect(textContent({ content: [{ type: 'image', data: new Uint8Array([1]), mimeType: 'image/png' }, text('x')] })).toBe('x');
  });

  it('hasToolCalls agrees with toolCalls', () => {
    fc.assert(
      fc.property(messages(), (message) => {
        expect(hasToolCalls(message)).toBe(toolCalls(message).length > 0);
      }),
    );
  });
});

describe('unansweredToolCalls (G19)', () => {
  it.each<[string, readonly Message[], readonly string[]]>([
    ['none in an empty conversation', [], []],
    ['none without calls', [user, assistant(text('hi'))], []],
    ['all before any result', [user, assistant(call('1'), call('2'))], ['1', '2']],
    ['the rest in order, whichever came first', [user, assistant(call('1'), call('2'), call('3')), result('2')], ['1', '3']],
    ['none when all are answered', [user, assistant(call('1')), result('1')], []],
    ['none of an earlier answer', [user, assistant(call('1')), user, assistant(text('ok'))], []],
    ['still, after a further message of the person', [user, assistant(call('1')), user], ['1']],
    ['results before the call do not count', [user, result('1'), assistant(call('1'))], ['1']],
  ])('%s', (_name, conversation, ids) => {
    expect(unansweredToolCalls(conversation).map(({ id }) => id)).toEqual(ids);
  });

  it('finds none in any whole conversation, and exactly the calls whose results are cut off', () => {
    fc.assert(
      fc.property(conversations(), (conversation) => {
        expect(unansweredToolCalls(conversation)).toEqual([]);
        const last = conversation.findLastIndex((message) => message.role === 'assistant');
        const answer = conversation[last];
        if (answer?.role !== 'assistant') return;
        expect(unansweredToolCalls(conversation.slice(0, last + 1))).toEqual(toolCalls(answer));
      }),
    );
  });
});
