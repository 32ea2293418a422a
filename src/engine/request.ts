import type { Message } from '../domain/message.js';
import { hasToolCalls } from '../domain/message-helpers.js';
import type { Request } from '../domain/provider.js';
import type { ToolSpec } from '../domain/tool.js';
import type { WireTarget } from './wire.js';
import { keepsThinking, toWire } from './wire.js';

/** What a request is made from. */
export interface RequestInput {
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  /** In a stable order, so that the provider's prompt cache holds. */
  readonly tools: readonly ToolSpec[];
  /** Whether the person wants the model to think. */
  readonly thinking: boolean;
}

/** The request of the next round. */
export function buildRequest(input: RequestInput, target: WireTarget): Request {
  const { systemPrompt, messages, tools } = input;
  const thinking = input.thinking && target.model.supportsThinking && !lostThinking(messages, target);
  return {
    model: target.model.id,
    systemPrompt,
    messages: toWire(messages, target),
    tools,
    ...(thinking ? { thinking: true } : {}),
  };
}

/**
 * Whether thinking was left out of the current turn. The Anthropic API refuses to think on in a turn whose calls have
 * lost the thinking before them, so thinking rests until the next message of the person.
 */
function lostThinking(messages: readonly Message[], target: WireTarget): boolean {
  const start = messages.findLastIndex((message) => message.role === 'user') + 1;
  return messages.slice(start).some((message, offset) => {
    if (message.role !== 'assistant' || !hasToolCalls(message)) return false;
    const thought = message.content.some((block) => block.type === 'thinking');
    return thought && !keepsThinking(message, start + offset, target);
  });
}
