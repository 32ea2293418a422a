import type Anthropic from '@anthropic-ai/sdk';
import { assertNever } from '../../domain/assert-never.js';
import type { Message, UserMessage, ToolResultMessage } from '../../domain/model/message.js';
import { wireAssistantContent, wireContent, wireResult } from './wire-blocks.js';

/** A turn of the conversation in the API's form, its content always a list. */
export type WireTurn =
  | { readonly role: 'user'; readonly content: UserBlock[] }
  | { readonly role: 'assistant'; readonly content: Anthropic.ContentBlockParam[] };
type UserBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam | Anthropic.ToolResultBlockParam;

/**
 * The conversation in the API's form: tool results and what the user said between two answers are one user turn,
 * and messages of which nothing is left are dropped.
 */
export function wireTurns(messages: readonly Message[]): readonly WireTurn[] {
  const turns: WireTurn[] = [];
  for (const message of messages) {
    if (message.role === 'assistant') {
      const content = wireAssistantContent(message.content);
      if (content.length > 0) turns.push({ role: 'assistant', content });
    } else {
      addToUserTurn(turns, userBlocks(message));
    }
  }
  return turns;
}

function addToUserTurn(turns: WireTurn[], blocks: readonly UserBlock[]): void {
  const last = turns.at(-1);
  if (blocks.length === 0) return;
  if (last?.role === 'user') last.content.push(...blocks);
  else turns.push({ role: 'user', content: [...blocks] });
}

function userBlocks(message: UserMessage | ToolResultMessage): readonly UserBlock[] {
  switch (message.role) {
    case 'user':
      return wireContent(message.content);
    case 'tool_result':
      return [wireResult(message)];
    default:
      return assertNever(message);
  }
}
