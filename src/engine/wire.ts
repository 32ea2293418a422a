/// <reference lib="es2024.string" />

import { present } from '../domain/present.js';
import { assertNever } from '../domain/assert-never.js';
import {
  type AssistantContent,
  type ImageBlock,
  text,
  type TextBlock,
  type ToolCallBlock,
  type ToolResultContent,
  type UserContent,
} from '../domain/model/content.js';
import type { Compaction } from '../domain/session/context.js';
import { type AssistantMessage, hasToolCalls, type Message, type ToolResultMessage, type UserMessage } from '../domain/model/message.js';
import { closestEffort, type ThinkingEffort } from '../domain/model/effort.js';
import type { ModelInfo, Request } from '../domain/model/provider.js';
import { parseArguments } from './tool-call/arguments.js';
import { keptFrom, summaryMessage } from './context/overlay.js';
import { cappedResult } from './context/result-cap.js';
import { modelKey } from '../domain/model/model-key.js';
import { isRefusal } from './refusal.js';
import { imagesLeftOut, withoutOldest, withoutRefused } from './wire-images.js';
import type { JsonSchema, ToolSpec } from '../domain/tool/tool.js';
import { isCut, isPause } from './turn/outcome.js';

/** For whom a conversation is put on the wire, and which model (`provider/model`) made the message at an index. */
export interface WireTarget {
  readonly model: ModelInfo;
  modelOf(index: number): string | undefined;
  /** The summary that replaces the beginning, if there is one. */
  readonly compaction?: Compaction | undefined;
  /** The least number of the oldest images that is left out; after those that are left out anyway. */
  readonly imagesLeftOut?: number;
  /** Images that the model does not take. */
  readonly refusedImages?: ReadonlySet<ImageBlock>;
}

/** Characters that are kept of arguments which are not a JSON object. */
const UNPARSED_CHARACTERS = 2_000;

/**
 * Decides what of a conversation goes to a model; the only place that does. Whatever the history contains, the result is
 * one that model APIs accept: the user first, no empty message, every call under an id of its own and answered once,
 * directly behind its message.
 *
 * Left out: thinking of another model, unsigned thinking and redacted thinking without its payload; blank text;
 * of answers that broke off everything but their text, and all of them once another answer took their place. A summary
 * takes the place of the messages it covers; of very long results beginning and end are sent, of many images the newest. An
 * answer that the model ended with a refusal is left out, for it makes the next ones refusals too.
 */
export function toWire(history: readonly Message[], target: WireTarget): readonly Message[] {
  const ids = new WireIds();
  const start = keptFrom(history, target.compaction);
  const messages = [...history.slice(0, start), ...withFewerImages(history.slice(start), target)];
  const wire = messages.flatMap((message, index): readonly Message[] => {
    if (index < start) return [];
    switch (message.role) {
      case 'user':
        return said(message, target.model);
      case 'assistant':
        return isSuperseded(messages, index) || isRefusal(message.rawStopReason) ? [] : answerWithResults({ messages, index, message, ids }, target);
      case 'tool_result':
        // Placed behind the message with its call.
        return [];
      default:
        return assertNever(message);
    }
  });
  if (start > 0 && target.compaction !== undefined) return [...said(summaryMessage(messages, target.compaction), target.model), ...wire];
  const first = wire.findIndex((message) => message.role === 'user');
  return first < 0 ? [] : wire.slice(first);
}

function withFewerImages(messages: readonly Message[], { model, imagesLeftOut: least, refusedImages }: WireTarget): readonly Message[] {
  if (!model.supportsImages) return messages;
  const taken = withoutRefused(messages, refusedImages);
  return withoutOldest(taken, imagesLeftOut(taken, least));
}

function said(message: UserMessage, model: ModelInfo): readonly UserMessage[] {
  const content = message.content.flatMap((block) => sendable(block, model));
  return content.length === 0 ? [] : [{ ...message, content }];
}

/** Whether the thinking of a message may go to the target's model. */
export function keepsThinking(message: AssistantMessage, index: number, target: WireTarget): boolean {
  return !brokeOff(message) && target.modelOf(index) === modelKey(target.model);
}

/** Whether an answer came only in part. */
export function brokeOff(message: AssistantMessage): boolean {
  return message.stopReason === 'error' || message.stopReason === 'aborted';
}

/** Whether an answer broke off and the model was, or is about to be, asked again for it. */
function isSuperseded(messages: readonly Message[], index: number): boolean {
  const message = messages[index];
  if (message?.role !== 'assistant' || !brokeOff(message)) return false;
  const next = messages.slice(index + 1).find((later) => later.role !== 'tool_result');
  return next?.role !== 'user';
}

interface AnswerPlace {
  readonly messages: readonly Message[];
  readonly index: number;
  readonly message: AssistantMessage;
  readonly ids: WireIds;
}

function answerWithResults({ messages, index, message, ids }: AnswerPlace, target: WireTarget): readonly Message[] {
  const thinking = keepsThinking(message, index, target);
  const content = message.content.flatMap((block) => sendableAnswer(block, { thinking, calls: !brokeOff(message) }));
  // Thinking alone says nothing and is refused by the API.
  if (content.every((block) => block.type === 'thinking')) return [];
  const answers = resultsBehind(messages, index);
  const results: ToolResultMessage[] = [];
  const sent = content.map((block): AssistantContent => {
    if (block.type !== 'tool_call') return block;
    const call = { ...block, id: ids.take(block.id) };
    results.push(resultOf(call, answers.get(block.id), { message, model: target.model }));
    return call;
  });
  return [{ ...message, content: sent }, ...results];
}

/** Ids of calls as APIs take them: `[a-zA-Z0-9_-]{1,64}`, each once in a conversation. Those of others' files may not be. */
class WireIds {
  private readonly taken = new Set<string>();

  take(id: string): string {
    let usable = /^[\w-]{1,64}$/.test(id) ? id : 'call';
    for (let number = 2; this.taken.has(usable); number += 1) usable = `${id.replace(/[^\w-]/g, '_').slice(0, 50)}_${number}`;
    this.taken.add(usable);
    return usable;
  }
}

function sendableAnswer(block: AssistantContent, keep: { readonly thinking: boolean; readonly calls: boolean }): readonly AssistantContent[] {
  switch (block.type) {
    case 'text':
      return spoken(block);
    case 'thinking':
      return keep.thinking && block.signature !== undefined ? [block] : [];
    case 'tool_call':
      return keep.calls ? [{ ...block, name: wireName(block.name), arguments: wireArguments(block) }] : [];
    default:
      return assertNever(block);
  }
}

/** The results between an answer and the next one; of two for one call the first. */
function resultsBehind(messages: readonly Message[], index: number): ReadonlyMap<string, ToolResultMessage> {
  const results = new Map<string, ToolResultMessage>();
  for (let at = index + 1; messages[at] !== undefined && messages[at]?.role !== 'assistant'; at += 1) {
    const message = messages[at];
    if (message?.role === 'tool_result' && !results.has(message.toolCallId)) results.set(message.toolCallId, message);
  }
  return results;
}

function resultOf(
  call: ToolCallBlock,
  result: ToolResultMessage | undefined,
  context: { readonly message: AssistantMessage; readonly model: ModelInfo },
): ToolResultMessage {
  const content = result === undefined ? undefined : cappedResult(result.content);
  const known = content?.flatMap((block) => sendable(block, context.model)) ?? [text('No result was recorded.')];
  return {
    role: 'tool_result',
    toolCallId: call.id,
    toolName: call.name,
    content: known.length === 0 ? [text('(no output)')] : known,
    isError: result?.isError ?? true,
    timestamp: result?.timestamp ?? context.message.timestamp,
  };
}

function sendable(block: UserContent | ToolResultContent, model: ModelInfo): readonly UserContent[] {
  if (block.type === 'text') return spoken(block);
  return model.supportsImages ? [block] : [text('[An image, left out because this model cannot see images.]')];
}

/** Texts in the form they are sent in, by block: the history is sent anew each round, and blocks never change. */
const sentTexts = new WeakMap<TextBlock, readonly TextBlock[]>();

/** Text as APIs take it: not blank, and without halves of surrogate pairs, which have no UTF-8. */
function spoken(block: TextBlock): readonly TextBlock[] {
  const known = sentTexts.get(block);
  if (known !== undefined) return known;
  const sent = block.text.trim() === '' ? [] : [text(block.text.toWellFormed())];
  sentTexts.set(block, sent);
  return sent;
}

/** A name as APIs take it: `[a-zA-Z0-9_-]{1,64}`. A call under another name was answered with an error. */
function wireName(name: string): string {
  return name.replace(/[^\w-]/g, '_').slice(0, 64);
}

/** Arguments in the form they are sent in, by call: the history is sent anew each round, and calls never change. */
const sentArguments = new WeakMap<ToolCallBlock, string>();

/** Arguments as APIs take them: an object, also where the model wrote something else or was cut off. */
function wireArguments(call: ToolCallBlock): string {
  const known = sentArguments.get(call);
  if (known !== undefined) return known;
  const raw = call.arguments.toWellFormed();
  const parsed = parseArguments(raw);
  const sent = parsed.ok ? parsed.text : JSON.stringify({ unparsed_arguments: raw.slice(0, UNPARSED_CHARACTERS).toWellFormed() });
  sentArguments.set(call, sent);
  return sent;
}

/** Parts that a request is made from. */
interface RequestInput {
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  /** In a stable order, so that the provider's prompt cache stays valid. */
  readonly tools: readonly ToolSpec[];
  /** How much the user wants the model to think. */
  readonly effort: ThinkingEffort;
  /** See {@link Request.cacheKey}. */
  readonly cacheKey?: string;
  /** See {@link Request.output}. */
  readonly output?: JsonSchema | undefined;
}

/** The request of the next round. */
export function buildRequest(input: RequestInput, target: WireTarget): Request {
  const { systemPrompt, messages, tools, cacheKey, output } = input;
  const { model } = target;
  const { maxTokens, temperature } = model;
  const effort = lostThinking(messages, target) ? 'off' : closestEffort(model.efforts, input.effort);
  return {
    model: model.id,
    systemPrompt,
    messages: askedOn(toWire(messages, target)),
    tools: model.supportsTools ? tools : [],
    ...(effort === 'off' ? {} : { effort }),
    ...present({ maxTokens, temperature, cacheKey, output }),
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
