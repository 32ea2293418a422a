import { text } from '../../domain/model/content.js';
import type { Message } from '../../domain/model/message.js';
import { hasToolCalls } from '../../domain/model/message-helpers.js';
import type { Request, ThinkingEffort } from '../../domain/model/provider.js';
import type { ToolSpec } from '../../domain/tool/tool.js';
import { keptFrom } from '../context/overlay.js';
import { isCut, isPause } from './outcome.js';
import type { WireTarget } from '../wire.js';
import { keepsThinking, toWire } from '../wire.js';

/** What a request is made from. */
export interface RequestInput {
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  /** In a stable order, so that the provider's prompt cache stays valid. */
  readonly tools: readonly ToolSpec[];
  /** How much the user wants the model to think. */
  readonly effort: ThinkingEffort;
}

/** The request of the next round. */
export function buildRequest(input: RequestInput, target: WireTarget): Request {
  const { systemPrompt, messages, tools } = input;
  const { model } = target;
  const { maxTokens, temperature } = model;
  const thinks = input.effort !== 'off' && model.supportsThinking && !lostThinking(messages, target);
  return {
    model: model.id,
    systemPrompt,
    messages: askedOn(toWire(messages, target)),
    tools: model.supportsTools ? tools : [],
    ...(thinks ? { effort: input.effort } : {}),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

/**
 * Behind an answer that the model paused, or that was cut off, comes a request to continue: many models refuse to be asked
 * with anything else than a message to them. It stays there whatever comes next, so that requests only grow.
 */
function askedOn(wire: readonly Message[]): readonly Message[] {
  return wire.flatMap((message, index): readonly Message[] => {
    const goesOn = message.role === 'assistant' && !hasToolCalls(message) && (isCut(message) || isPause(message) || index === wire.length - 1);
    return goesOn ? [message, { role: 'user', content: [text('Continue.')], timestamp: message.timestamp }] : [message];
  });
}

/**
 * Whether thinking was left out of the current turn. The Anthropic API refuses to think on in a turn whose calls have
 * lost the thinking before them, so thinking rests until the next message of the user.
 */
function lostThinking(messages: readonly Message[], target: WireTarget): boolean {
  const turn = messages.findLastIndex((message) => message.role === 'user') + 1;
  const start = Math.max(turn, keptFrom(messages, target.compaction));
  return messages.slice(start).some((message, offset) => {
    if (message.role !== 'assistant' || !hasToolCalls(message)) return false;
    const thought = message.content.some((block) => block.type === 'thinking');
    return thought && !keepsThinking(message, start + offset, target);
  });
}
