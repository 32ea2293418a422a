import { wordsOf } from '../../domain/session/attached.js';
import type { Message } from '../../domain/model/message.js';
import { textContent, toolCalls } from '../../domain/model/message-helpers.js';
import { parseArguments } from '../tool-call/arguments.js';
import { cut } from './shortened.js';

const EARLIER_CHARACTERS = 8_000;
const REQUEST_CHARACTERS = 2_000;
const REQUESTS_CHARACTERS = 12_000;
const ANSWER_CHARACTERS = 2_000;
const TODO_CHARACTERS = 4_000;
const FILES = 100;

/**
 * A summary without a model, for conversations that no model takes: what the person said, which files were touched, the
 * last plan and the last answer.
 * @param earlier the summary of the messages before these.
 */
export function mechanicalSummary(messages: readonly Message[], earlier?: string): string {
  const sections: readonly (readonly [heading: string, content: string])[] = [
    ['Earlier summary', cut(earlier ?? '', EARLIER_CHARACTERS)],
    ['What the user said, in order', requests(messages)],
    ['Files that calls named', files(messages)],
    ['The last to-do list', cut(lastCall(messages, 'todo'), TODO_CHARACTERS)],
    ['The last answer', cut(lastAnswer(messages), ANSWER_CHARACTERS)],
  ];
  const written = sections.filter(([, content]) => content !== '').map(([heading, content]) => `## ${heading}\n${content}`);
  return ['This was put together without a model, because the conversation was too long for it.', ...written].join('\n\n');
}

function requests(messages: readonly Message[]): string {
  const said = messages.filter((message) => message.role === 'user').map((message) => wordsOf(message).trim());
  const quoted = said.filter((words) => words !== '').map((words) => `> ${cut(words, REQUEST_CHARACTERS).replaceAll('\n', '\n> ')}`);
  return cut(quoted.join('\n\n'), REQUESTS_CHARACTERS);
}

/** The files that were named last. */
function files(messages: readonly Message[]): string {
  const named = messages.flatMap((message) => (message.role === 'assistant' ? toolCalls(message) : [])).flatMap((call) => {
    const path = fileOf(call.arguments);
    return path === undefined ? [] : [`- ${call.name}: ${JSON.stringify(path)}`];
  });
  return [...new Set(named.reverse())].slice(0, FILES).reverse().join('\n');
}

function fileOf(raw: string): string | undefined {
  const args = parseArguments(raw);
  if (!args.ok) return undefined;
  const path: unknown = Reflect.get(args.value, 'file_path') ?? Reflect.get(args.value, 'path');
  return typeof path === 'string' && path.length < 1_000 ? path : undefined;
}

function lastCall(messages: readonly Message[], tool: string): string {
  for (const message of [...messages].reverse()) {
    const call = message.role === 'assistant' ? toolCalls(message).findLast(({ name }) => name === tool) : undefined;
    if (call !== undefined) return call.arguments;
  }
  return '';
}

function lastAnswer(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === 'assistant' && textContent(message).trim() !== '');
  return last === undefined ? '' : textContent(last).trim();
}
