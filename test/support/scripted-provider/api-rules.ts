import { type AssistantMessage, type Message, toolCalls } from '../../../src/domain/model/message.js';
import type { Request } from '../../../src/domain/model/provider.js';
import { validateMessage } from '../../../src/domain/model/validate.js';

/**
 * What model APIs demand of a conversation, stated apart from the code that has to keep to it (Anthropic Messages API:
 * "tool_use ids were found without tool_result blocks immediately after", "text content blocks must contain
 * non-whitespace text", "messages: first message must use the user role", and so on).
 * @returns every rule that is broken, in words; empty when the request would be accepted.
 */
export function brokenRules(request: Request): readonly string[] {
  const { messages } = request;
  const broken = messages.flatMap((message, index) => messageRules(message, `messages[${index}]`));
  if (messages[0]?.role !== 'user') broken.push('the first message must be of the user');
  if (messages.at(-1)?.role === 'assistant') broken.push('the last message must not be of the assistant');
  return [...broken, ...pairing(messages), ...uniqueIds(messages)];
}

function messageRules(message: Message, place: string): string[] {
  const broken: string[] = [];
  try {
    validateMessage(message, place);
  } catch (error) {
    broken.push(String(error));
  }
  for (const block of message.content) {
    if (block.type === 'text' && block.text.trim() === '') broken.push(`${place}: blank text`);
    if (block.type === 'text' && /\p{Surrogate}/u.test(block.text)) broken.push(`${place}: half of a surrogate pair`);
    if (block.type === 'thinking' && block.signature === undefined) broken.push(`${place}: thinking without signature`);
    if (block.type === 'tool_call') broken.push(...callRules(block, place));
  }
  if (message.role === 'assistant' && message.content.every((block) => block.type === 'thinking')) {
    broken.push(`${place}: nothing but thinking`);
  }
  return broken;
}

function callRules(call: { id: string; name: string; arguments: string }, place: string): string[] {
  const broken: string[] = [];
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.id)) broken.push(`${place}: call id ${JSON.stringify(call.id)}`);
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(call.name)) broken.push(`${place}: tool name ${JSON.stringify(call.name)}`);
  try {
    const value: unknown = JSON.parse(call.arguments);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) broken.push(`${place}: input is not an object`);
    JSON.stringify(value);
  } catch {
    broken.push(`${place}: input is not JSON that can be written`);
  }
  return broken;
}

/** Every call has exactly one result, directly behind its message; every result belongs to such a call. */
function pairing(messages: readonly Message[]): string[] {
  const broken: string[] = [];
  messages.forEach((message, index) => {
    if (message.role === 'assistant') {
      const results = resultIdsAfter(messages, index).sort();
      const calls = toolCalls(message)
        .map((call) => call.id)
        .sort();
      if (calls.join() !== results.join()) broken.push(`messages[${index}]: calls [${calls.join()}] but results [${results.join()}]`);
    } else if (message.role === 'tool_result' && messages[index - 1]?.role === 'user') {
      broken.push(`messages[${index}]: a result that is not behind its call`);
    }
  });
  return broken;
}

function resultIdsAfter(messages: readonly Message[], index: number): string[] {
  const ids: string[] = [];
  for (const message of messages.slice(index + 1)) {
    if (message.role !== 'tool_result') break;
    ids.push(message.toolCallId);
  }
  return ids;
}

function uniqueIds(messages: readonly Message[]): string[] {
  const assistants = messages.filter((message): message is AssistantMessage => message.role === 'assistant');
  const ids = assistants.flatMap((message) => toolCalls(message).map((call) => call.id));
  return new Set(ids).size === ids.length ? [] : [`two calls have one id: ${ids.join()}`];
}
