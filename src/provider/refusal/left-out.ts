import { text, type ThinkingBlock } from '../../domain/model/content.js';
import type { Dispensable, Substitute } from '../../domain/model/dispensable.js';
import { hasToolCalls, type Message } from '../../domain/model/message.js';
import { outputInWords } from '../../domain/model/output.js';
import type { Request } from '../../domain/model/provider.js';
import type { JsonSchema } from '../../domain/tool/tool.js';

/** What requests of one session to one model of one server do without. */
export interface LeftOut {
  readonly images: boolean;
  /** The blocks that the server refused, or all that there will be: a server that refuses its own thinking, too, takes none. */
  readonly thinking: ReadonlySet<ThinkingBlock> | 'all';
  /** The schemas of answers, as JSON, that go in words because the server refused them, or all. */
  readonly output: ReadonlySet<string> | 'all';
  /** By the name of the field: what takes its place, if anything. */
  readonly fields: ReadonlyMap<string, Substitute | undefined>;
}

/** Nothing was refused. */
export const NOTHING_LEFT_OUT: LeftOut = { images: false, thinking: new Set(), output: new Set(), fields: new Map() };

/**
 * Leaves out one thing more.
 * @param request the one that was refused
 * @returns `undefined` when that is left out already, so that nothing is asked twice for the same reason
 */
export function leavingOut(before: LeftOut, refused: Dispensable, request: Request): LeftOut | undefined {
  switch (refused.what) {
    case 'images':
      return before.images ? undefined : { ...before, images: true };
    case 'field':
      return before.fields.has(refused.name) ? undefined : { ...before, fields: new Map([...before.fields, [refused.name, refused.instead]]) };
    case 'output':
      return request.output === undefined ? undefined : { ...before, output: outputsWith(before, request.output, refused.which) };
    case 'thinking': {
      if (before.thinking === 'all') return undefined;
      const sent = thinkingIn(request.messages);
      if (sent.length === 0) return undefined;
      return { ...before, thinking: before.thinking.size > 0 ? 'all' : new Set(sent) };
    }
  }
}

function outputsWith({ output: before }: LeftOut, schema: JsonSchema, which: 'this' | 'any'): LeftOut['output'] {
  return before === 'all' || which === 'any' ? 'all' : new Set([...before, JSON.stringify(schema)]);
}

/** The signed thinking of a conversation; what is not signed is never sent. */
export function thinkingIn(messages: readonly Message[]): readonly ThinkingBlock[] {
  return messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'thinking' && block.signature !== undefined ? [block] : [])));
}

/** Whether a conversation shows the model an image. */
export function hasImages(messages: readonly Message[]): boolean {
  return messages.some(({ content }) => content.some(({ type }) => type === 'image'));
}

/** Stands for an image, so that the model can say that it does not see it. */
const NO_IMAGE = text('[An image, left out because this model cannot see images.]');

/** The request without what is left out of its messages, and with the schema of its answer in words where that is refused. */
export function requestWithout(wanted: Request, leftOut: LeftOut): Request {
  const request = sendsOutput(wanted, leftOut) ? wanted : outputInWords(wanted);
  const { messages } = request;
  const { effort, ...rest } = request;
  const kept = withoutThinking(withoutImages(messages, leftOut), leftOut);
  // An API that checks thinking refuses to think on in a turn whose calls have lost theirs.
  return { ...rest, messages: kept, ...(effort === undefined || lostInTurn(messages, leftOut) ? {} : { effort }) };
}

function sendsOutput({ output }: Request, { output: refused }: LeftOut): boolean {
  return output === undefined || (refused !== 'all' && !refused.has(JSON.stringify(output)));
}

function withoutImages(messages: readonly Message[], { images }: LeftOut): readonly Message[] {
  if (!images) return messages;
  return messages.map((message): Message => {
    if (message.role === 'assistant' || !hasImages([message])) return message;
    return { ...message, content: message.content.map((block) => (block.type === 'image' ? NO_IMAGE : block)) };
  });
}

function withoutThinking(messages: readonly Message[], leftOut: LeftOut): readonly Message[] {
  if (leftOut.thinking !== 'all' && leftOut.thinking.size === 0) return messages;
  return messages.map((message) => {
    if (message.role !== 'assistant') return message;
    return { ...message, content: message.content.filter((block) => block.type !== 'thinking' || !isOut(block, leftOut)) };
  });
}

function isOut(block: ThinkingBlock, { thinking }: LeftOut): boolean {
  return thinking === 'all' || thinking.has(block);
}

function lostInTurn(messages: readonly Message[], leftOut: LeftOut): boolean {
  const turn = messages.findLastIndex(({ role }) => role === 'user') + 1;
  return messages
    .slice(turn)
    .some((message) => message.role === 'assistant' && hasToolCalls(message) && thinkingIn([message]).some((block) => isOut(block, leftOut)));
}
