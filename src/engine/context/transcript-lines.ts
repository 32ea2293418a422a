import { assertNever } from '../../domain/assert-never.js';
import type { ContentBlock } from '../../domain/model/content.js';
import type { Message } from '../../domain/model/message.js';
import { textContent, toolCalls } from '../../domain/model/message-helpers.js';
import { cut } from './shortened.js';

/** The most characters of one text of a person or model. */
const SPOKEN_CHARACTERS = 24_000;

/**
 * Messages as text for the model that summarises them: one JSON object a line, so that nothing in a message can pass for
 * another message. Thinking is left out.
 * @param characters the most that is kept of a tool result and of the arguments of a call.
 */
export function transcriptLines(messages: readonly Message[], characters: number): readonly string[] {
  return messages.flatMap((message) => {
    const entry = entryOf(message, characters);
    return entry === undefined ? [] : [JSON.stringify(entry)];
  });
}

function entryOf(message: Message, characters: number): object | undefined {
  const words = cut(spoken(message.content), Math.min(SPOKEN_CHARACTERS, characters * 4));
  switch (message.role) {
    case 'user':
      return { role: 'user', text: words };
    case 'assistant': {
      const calls = toolCalls(message).map((call) => ({ tool: call.name, arguments: cut(call.arguments, characters) }));
      if (words === '' && calls.length === 0) return undefined;
      return { role: 'assistant', ...(words === '' ? {} : { text: words }), ...(calls.length === 0 ? {} : { calls }) };
    }
    case 'tool_result':
      return { role: 'tool_result', tool: message.toolName, ...(message.isError ? { error: true } : {}), text: cut(textContent(message), characters) };
    default:
      return assertNever(message);
  }
}

function spoken(content: readonly ContentBlock[]): string {
  return content
    .flatMap((block) => (block.type === 'text' ? [block.text] : block.type === 'image' ? ['[an image]'] : []))
    .join('\n')
    .trim();
}
