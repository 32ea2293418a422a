import { assertNever } from '../../domain/assert-never.js';
import type { ContentBlock } from '../../domain/model/content.js';
import { imageTokens } from '../../domain/model/image-tokens.js';
import type { Message } from '../../domain/model/message.js';
import type { Request } from '../../domain/model/provider.js';
import { changedInstructions } from '../../domain/session/attached.js';
import type { ContextParts } from '../../domain/session/context.js';
import type { ToolSpec } from '../../domain/tool/tool.js';
import { instructionsStart } from '../system-prompt.js';
import { brokeOff } from '../wire.js';
import { RESULT_CHARACTERS } from './result-cap.js';
import { textTokens } from '../../text/text-tokens.js';

/** Tokens around a message or a block: role, names, ids. */
const MESSAGE_TOKENS = 4;
const CALL_TOKENS = 12;
/** Bytes of encrypted thinking for each token of it. */
const ENCRYPTED_BYTES_PER_TOKEN = 4;

/** Messages never change, so each is measured once. */
const measured = new WeakMap<Message, number>();

/** Roughly the tokens of a message on the wire. */
export function messageTokens(message: Message): number {
  const known = measured.get(message);
  if (known !== undefined) return known;
  const tokens = measure(message);
  measured.set(message, tokens);
  return tokens;
}

/** Roughly the tokens of several messages. */
export function messagesTokens(messages: readonly Message[]): number {
  return messages.reduce((total, message) => total + messageTokens(message), 0);
}

/** Parts of a context that are in its messages. */
type MessageParts = Omit<ContextParts, 'systemPrompt' | 'tools'>;

/** Beginning of a folder's instructions, which come with the result of a call; see `session-context.ts`. */
const FOLDER_INSTRUCTIONS = '[Instructions of ';

/** As {@link measured}, by part. */
const measuredParts = new WeakMap<Message, MessageParts>();

/** Roughly the tokens of several messages, by what they are. */
export function messagesParts(messages: readonly Message[]): MessageParts {
  const total = { instructions: 0, messages: 0, images: 0, toolResults: 0 };
  for (const message of messages) {
    const parts = messageParts(message);
    total.instructions += parts.instructions;
    total.messages += parts.messages;
    total.images += parts.images;
    total.toolResults += parts.toolResults;
  }
  return total;
}

function messageParts(message: Message): MessageParts {
  const known = measuredParts.get(message);
  if (known !== undefined) return known;
  const of = (fits: (block: ContentBlock) => boolean): number => message.content.reduce((total, block) => total + (fits(block) ? blockTokens(block) : 0), 0);
  const isResult = message.role === 'tool_result';
  const images = of(({ type }) => type === 'image');
  const instructions = isResult
    ? of((block) => block.type === 'text' && block.text.startsWith(FOLDER_INSTRUCTIONS))
    : message.role === 'user'
      ? textTokens(changedInstructions(message))
      : 0;
  const rest = Math.max(0, messageTokens(message) - images - instructions);
  const parts = { instructions, images, messages: isResult ? 0 : rest, toolResults: isResult ? rest : 0 };
  measuredParts.set(message, parts);
  return parts;
}

/** Roughly the tokens of a request. Messages that were made for it alone are counted anew each time. */
export function requestTokens({ systemPrompt, tools, messages }: Pick<Request, 'systemPrompt' | 'tools' | 'messages'>): number {
  const prefix = prefixParts(systemPrompt, tools);
  return prefix.systemPrompt + prefix.tools + prefix.instructions + messagesTokens(messages);
}

/** Roughly the tokens of what every request begins with, by what it is. */
export function prefixParts(systemPrompt: string, tools: readonly ToolSpec[]): Pick<ContextParts, 'systemPrompt' | 'tools' | 'instructions'> {
  const whole = textTokens(systemPrompt);
  const instructions = Math.min(whole, textTokens(systemPrompt.slice(instructionsStart(systemPrompt))));
  return { systemPrompt: whole - instructions, tools: tools.reduce((total, spec) => total + definitionTokens(spec), 0), instructions };
}

/** A deferred definition takes none before it is found; then it is in the result of the search. */
function definitionTokens(spec: ToolSpec): number {
  return spec.deferral === 'deferred' ? 0 : CALL_TOKENS + textTokens(JSON.stringify(spec));
}

function measure(message: Message): number {
  const blocks = message.content.reduce((total, block) => total + blockTokens(block), MESSAGE_TOKENS);
  switch (message.role) {
    case 'user':
      return blocks;
    case 'assistant':
      // Only the text of an answer that broke off is sent.
      if (!brokeOff(message)) return blocks;
      return message.content.reduce((total, block) => total + (block.type === 'text' ? textTokens(block.text) : 0), MESSAGE_TOKENS);
    case 'tool_result':
      return resultTokens(message.content, blocks);
    default:
      return assertNever(message);
  }
}

/** A long result is cut on the wire. */
function resultTokens(content: readonly ContentBlock[], whole: number): number {
  const characters = content.reduce((total, block) => total + (block.type === 'text' ? block.text.length : 0), 0);
  return Math.ceil(whole * Math.min(1, RESULT_CHARACTERS / Math.max(1, characters)));
}

function blockTokens(block: ContentBlock): number {
  switch (block.type) {
    case 'text':
      return textTokens(block.text);
    case 'thinking':
      return block.redacted === true ? Math.ceil((block.signature?.length ?? 0) / ENCRYPTED_BYTES_PER_TOKEN) : textTokens(block.thinking);
    case 'tool_call':
      return CALL_TOKENS + textTokens(block.name) + textTokens(block.arguments);
    case 'image':
      return imageTokens(block);
    default:
      return assertNever(block);
  }
}
