import { assertNever } from '../../domain/assert-never.js';
import { attachedNames, wordsOf } from '../../domain/session/attached.js';
import type { Message } from '../../domain/model/message.js';
import { textContent, toolCalls } from '../../domain/model/message-helpers.js';
import type { GnomonMessage } from './gnomon-api.js';

/** A conversation as other extensions see it: text, calls and results. */
export function plainMessages(messages: readonly Message[]): readonly GnomonMessage[] {
  return messages.map(plainMessage);
}

function plainMessage(message: Message): GnomonMessage {
  const { timestamp: time } = message;
  switch (message.role) {
    case 'user':
      return { role: 'user', text: wordsOf(message), attached: attachedNames(message), time };
    case 'assistant':
      return { role: 'assistant', text: textContent(message), calls: toolCalls(message).map((call) => ({ callId: call.id, tool: call.name, input: call.arguments })), time };
    case 'tool_result':
      return { role: 'tool', callId: message.toolCallId, tool: message.toolName, text: textContent(message), isError: message.isError, time };
    default:
      return assertNever(message);
  }
}
