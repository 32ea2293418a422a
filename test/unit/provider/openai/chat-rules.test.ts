import { expect, test } from 'vitest';
import { type ChatBody, chatProblem } from '../../../support/openai-server/index.js';

const user = { role: 'user', content: 'Hello.' };
const call = (id: string, raw = '{}'): object => ({ id, type: 'function', function: { name: 'read', arguments: raw } });
const calling = (...calls: readonly object[]): Readonly<Record<string, unknown>> => ({ role: 'assistant', content: null, tool_calls: calls });
const result = (id: string): Readonly<Record<string, unknown>> => ({ role: 'tool', tool_call_id: id, content: '' });

const bodyOf = (...messages: readonly Readonly<Record<string, unknown>>[]): ChatBody => ({ model: 'm', messages });

test.each<[string, ChatBody, string | undefined]>([
  ['a message', bodyOf(user), undefined],
  ['calls with their results', bodyOf(user, calling(call('a'), call('b')), result('b'), result('a'), { role: 'assistant', content: 'Well.' }, user), undefined],
  ['an id again in another round', bodyOf(user, calling(call('a')), result('a'), calling(call('a')), result('a')), undefined],
  ['no model', { messages: [user] }, 'you must provide a model parameter'],
  ['no message', bodyOf(), "Invalid 'messages': empty array"],
  ['an empty message', bodyOf({ role: 'user', content: '' }), 'messages[0].content: must not be empty'],
  ['an answer with nothing', bodyOf(user, { role: 'assistant', content: null }), 'messages[1]: needs content or tool_calls'],
  ['a call without its result', bodyOf(user, calling(call('a'), call('b')), result('a'), user), 'messages[3]: tool_call_ids did not have response messages: b'],
  ['such a call at the end', bodyOf(user, calling(call('a'))), 'the last tool_calls have no response'],
  ['a result of no call', bodyOf(user, result('a')), "messages[1]: role 'tool' must be a response to a preceding message with 'tool_calls'"],
  [
    'two results of a call',
    bodyOf(user, calling(call('a')), result('a'), result('a')),
    "messages[3]: role 'tool' must be a response to a preceding message with 'tool_calls'",
  ],
  ['two calls with an id', bodyOf(user, calling(call('a'), call('a')), result('a')), 'messages[1]: the same tool call id twice'],
  ['arguments that are cut off', bodyOf(user, calling(call('a', '{"x')), result('a')), 'messages[1].tool_calls[].function.arguments: is no JSON object'],
  ['no tools in a list', { ...bodyOf(user), tools: [] }, "Invalid 'tools': empty array"],
  ['a role that is none', bodyOf({ role: 'person', content: 'Hello.' }), 'messages[0].role: person is none'],
])('the server that speaks chat completions tells of %s', (_what, body, problem) => {
  expect(chatProblem(body)).toBe(problem);
});
