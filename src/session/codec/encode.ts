import { assertNever } from '../../domain/assert-never.js';
import type { ContentBlock } from '../../domain/model/content.js';
import type { Message } from '../../domain/model/message.js';
import type { Usage } from '../../domain/model/usage.js';
import { type Depth, lineBreak, writeArguments } from './arguments.js';
import { ENVELOPE_VERSION, type EnvelopeHead, type StoredMessage } from './decode.js';
import { quote, toBase64 } from './strings.js';

/** A key with its value as JSON text, `undefined` to leave the key out. */
type Field = readonly [key: string, value: string | undefined];

/**
 * A message as Pipe writes it.
 * @param depth levels around it, 2 in an envelope; `undefined` for one line without spaces.
 */
export function encodeMessage(stored: StoredMessage, depth: Depth): string {
  const { message } = stored;
  const inner = deeper(depth);
  const type: Field = ['type', quote(message.role)];
  const content: Field = [
    'content',
    listText(
      (stored.content ?? message.content).map((block) => encodeBlock(block, deeper(inner))),
      inner,
    ),
  ];
  const timestamp: Field = ['timestamp', quote(message.timestamp)];
  return objectText([type, content, timestamp, ...roleFields(stored, inner)], depth);
}

/** JSON text of an object whose values are JSON text. */
export function objectText(fields: readonly Field[], depth: Depth): string {
  const colon = depth === undefined ? ':' : ': ';
  const texts = fields.flatMap(([key, value]) => (value === undefined ? [] : [`"${key}"${colon}${value}`]));
  return wrap(texts, '{}', depth);
}

function listText(items: readonly string[], depth: Depth): string {
  return wrap(items, '[]', depth);
}

function wrap(parts: readonly string[], brackets: '{}' | '[]', depth: Depth): string {
  if (parts.length === 0) return brackets;
  const [open, close] = [brackets.charAt(0), brackets.charAt(1)];
  if (depth === undefined) return open + parts.join(',') + close;
  const line = lineBreak(depth + 1);
  return open + line + parts.join(`,${line}`) + lineBreak(depth) + close;
}

function deeper(depth: Depth): Depth {
  return depth === undefined ? undefined : depth + 1;
}

function roleFields(stored: StoredMessage, depth: Depth): readonly Field[] {
  const message: Message = stored.message;
  switch (message.role) {
    case 'user':
      return [];
    case 'assistant':
      return [
        ['stop_reason', quote(stored.stopReason ?? message.stopReason)],
        ['raw_stop_reason', quote(message.rawStopReason)],
        ['usage', encodeUsage(message.usage, depth)],
      ];
    case 'tool_result':
      return [
        ['tool_call_id', quote(message.toolCallId)],
        ['tool_name', quote(message.toolName)],
        ['is_error', String(message.isError)],
      ];
    default:
      return assertNever(message);
  }
}

function encodeUsage(usage: Usage, depth: Depth): string {
  const cache = (count: number): string | undefined => (count === 0 ? undefined : String(count));
  const fields: readonly Field[] = [
    ['input_tokens', String(usage.inputTokens)],
    ['output_tokens', String(usage.outputTokens)],
    ['cache_read_tokens', cache(usage.cacheReadTokens)],
    ['cache_write_tokens', cache(usage.cacheWriteTokens)],
  ];
  return objectText(fields, depth);
}

function encodeBlock(block: ContentBlock, depth: Depth): string {
  return objectText([['type', quote(block.type)], ...blockFields(block, deeper(depth))], depth);
}

function blockFields(block: ContentBlock, depth: Depth): readonly Field[] {
  switch (block.type) {
    case 'text':
      return [['text', quote(block.text)]];
    case 'thinking':
      return [
        ['thinking', quote(block.thinking)],
        ['signature', signatureText(block.signature)],
      ];
    case 'image':
      return [
        ['data', `"${toBase64(block.data)}"`],
        ['mime_type', quote(block.mimeType)],
      ];
    case 'tool_call':
      return [
        ['signature', signatureText(block.signature)],
        ['id', quote(block.id)],
        ['name', quote(block.name)],
        ['arguments', writeArguments(block.arguments, depth)],
      ];
    default:
      return assertNever(block);
  }
}

/** No signature and an empty one are the same to Pipe. */
function signatureText(signature: Uint8Array | undefined): string | undefined {
  return signature === undefined || signature.length === 0 ? undefined : `"${toBase64(signature)}"`;
}

/** Levels around a message in an envelope. */
const MESSAGE_DEPTH = 2;

/**
 * The bytes of one message of an envelope, to be kept and given to {@link envelopeParts} again and again.
 * They are what Pipe writes, apart from indentation before the first line.
 */
export function encodePiece(stored: StoredMessage): Uint8Array {
  return Buffer.from(encodeMessage(stored, MESSAGE_DEPTH));
}

/**
 * The parts of a v1 file in order, byte for byte what Pipe's own writer makes of the same session (Go's `MarshalIndent` with
 * two spaces, HTML escaping on, no line break at the end). Times are written as given.
 * @param pieces the messages as {@link encodePiece} made them; made only when they are asked for.
 */
export function* envelopeParts(head: EnvelopeHead, pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  yield Buffer.from(`{\n  ${headLines(head).join(',\n  ')},\n  "messages": [`);
  let count = 0;
  for (const piece of pieces) {
    yield Buffer.from(count === 0 ? '\n    ' : ',\n    ');
    yield piece;
    count += 1;
  }
  yield Buffer.from(count === 0 ? ']\n}' : '\n  ]\n}');
}

/** A whole v1 file in one go. */
export function encodeSession(head: EnvelopeHead, messages: readonly StoredMessage[]): Uint8Array {
  return Buffer.concat([...envelopeParts(head, messages.map(encodePiece))]);
}

function headLines(head: EnvelopeHead): readonly string[] {
  return [
    `"version": ${ENVELOPE_VERSION}`,
    `"id": ${quote(head.id)}`,
    `"system_prompt": ${quote(head.systemPrompt)}`,
    `"created_at": ${quote(head.createdAt)}`,
    `"updated_at": ${quote(head.updatedAt)}`,
  ];
}
