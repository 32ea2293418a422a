import type { McpBlock } from '../../domain/mcp/feature.js';
import { McpRefusal, type McpSample, type McpSampleAnswer, type McpSampleQuestion } from '../../domain/mcp/request.js';
import { text } from '../../domain/model/content.js';
import type { Message, Timestamp } from '../../domain/model/message.js';
import { type ModelInfo, priceOf, type Request } from '../../domain/model/provider.js';
import { costOf, NO_USAGE, type Usage } from '../../domain/model/usage.js';
import { textTokens } from '../../text/text-tokens.js';

/** Tokens of one answer at most, whatever a server asks for. */
const MAX_ANSWER_TOKENS = 4_096;
/** Tokens that a server can use in one chat, read and written. */
export const MAX_CHAT_TOKENS = 100_000;
/** Characters of all that a server wants to have answered: more cannot be reviewed. */
const MAX_CHARACTERS = 40_000;
const MAX_MESSAGES = 50;
/** Tokens of the frame of a message. */
const FRAME_TOKENS = 8;

/** A model that answers servers, in one chat. */
export interface SampleModel {
  readonly info: ModelInfo;
  /** Sends a request, and counts what it used as the chat's. Rejects with an AbortError only when the signal stopped it. */
  complete(request: Request, signal: AbortSignal): Promise<SampleCompletion>;
}

/** Response of a model to a sampling request. */
export interface SampleCompletion {
  readonly text: string;
  /** Whether it ended at the limit of its tokens. */
  readonly cutOff: boolean;
  readonly usage: Usage;
  /** Why there is no whole answer, for the server's author. */
  readonly problem?: string;
}

/** A request of a server that has been checked: what the user is shown, and what is sent is the same. */
export interface PreparedSample {
  readonly question: McpSampleQuestion;
  readonly request: Request;
  /** Tokens that it can use at most. */
  readonly mostTokens: number;
}

/**
 * Makes a request for a model from what a server asks. It never has tools, and text is all that it can contain.
 * @param left tokens that the server can still use in the chat
 * @throws McpRefusal
 */
export function prepareSample(
  sample: McpSample,
  { info }: SampleModel,
  { left, timestamp }: { readonly left: number; readonly timestamp: Timestamp },
): PreparedSample {
  const messages = sample.messages.map(({ role, content }) => ({ role, text: content.map(textOf).join('\n') }));
  const { systemPrompt = '' } = sample;
  checkSize(messages, systemPrompt);
  const inputTokens = [systemPrompt, ...messages.map((message) => message.text)].reduce((sum, words) => sum + textTokens(words) + FRAME_TOKENS, 0);
  const maxTokens = Math.min(
    MAX_ANSWER_TOKENS,
    wholeNumber(sample.maxTokens),
    info.maxOutputTokens > 0 ? info.maxOutputTokens : MAX_ANSWER_TOKENS,
    left - inputTokens,
  );
  if (maxTokens < 1) throw new McpRefusal(`This server has used the ${MAX_CHAT_TOKENS} tokens that it can use in this chat.`);
  const price = priceOf(info);
  const question: McpSampleQuestion = {
    mode: 'sample',
    model: info.label,
    ...(systemPrompt === '' ? {} : { systemPrompt }),
    messages,
    inputTokens,
    maxTokens,
    ...(price === undefined ? {} : { costUsd: costOf({ ...NO_USAGE, inputTokens, outputTokens: maxTokens }, price) }),
    tokensLeft: left,
  };
  const { temperature } = sample;
  const request: Request = {
    model: info.id,
    systemPrompt,
    messages: messages.map((message) => messageOf(message, timestamp)),
    tools: [],
    maxTokens,
    ...(temperature !== undefined && temperature >= 0 && temperature <= 2 ? { temperature } : {}),
    effort: 'off',
  };
  return { question, request, mostTokens: inputTokens + maxTokens };
}

/** Maps a response of the model to the result for the server. @throws McpRefusal when there is none */
export function sampleAnswer({ text: words, cutOff, problem }: SampleCompletion, { stopSequences = [] }: McpSample, { label }: ModelInfo): McpSampleAnswer {
  if (problem !== undefined) throw new McpRefusal(problem);
  // Not every model supports stop sequences.
  const ends = stopSequences
    .filter((each) => each !== '')
    .map((each) => words.indexOf(each))
    .filter((at) => at >= 0);
  if (ends.length > 0) return { text: words.slice(0, Math.min(...ends)), model: label, stopReason: 'stopSequence' };
  return { text: words, model: label, stopReason: cutOff ? 'maxTokens' : 'endTurn' };
}

function textOf(block: McpBlock): string {
  if (block.type !== 'text') throw new McpRefusal(`Only text can be answered, no ${block.type}.`);
  return block.text;
}

function checkSize(messages: McpSampleQuestion['messages'], systemPrompt: string): void {
  const [first] = messages;
  if (first?.role !== 'user') throw new McpRefusal('The first message is one of the user.');
  if (messages.length > MAX_MESSAGES) throw new McpRefusal(`There are more than ${MAX_MESSAGES} messages.`);
  if (messages.some((message) => message.text.trim() === '')) throw new McpRefusal('A message is empty.');
  const characters = messages.reduce((sum, message) => sum + message.text.length, systemPrompt.length);
  if (characters > MAX_CHARACTERS) throw new McpRefusal(`The messages and the system prompt are longer than ${MAX_CHARACTERS} characters.`);
}

function wholeNumber(tokens: number): number {
  if (!Number.isFinite(tokens) || tokens < 1) throw new McpRefusal('maxTokens is a whole number above 0.');
  return Math.floor(tokens);
}

function messageOf({ role, text: words }: McpSampleQuestion['messages'][number], timestamp: Timestamp): Message {
  const content = [text(words.toWellFormed())];
  if (role === 'user') return { role, content, timestamp };
  return { role, content, stopReason: 'end_turn', rawStopReason: '', usage: NO_USAGE, timestamp };
}
