import type { AssistantContent, ContentBlock, ImageBlock, ImageMimeType, ToolResultContent, UserContent } from '../../domain/model/content.js';
import { type Message, type Role, STOP_REASONS, type StopReason, type Timestamp } from '../../domain/model/message.js';
import { NO_USAGE, type Usage } from '../../domain/model/usage.js';
import type { StringPlace } from '../../text/json-scanner.js';
import { bytesOf } from '../../text/pieced-text.js';
import { readArguments } from './arguments.js';
import { EnvelopeReader, type FieldsRead } from './reader.js';
import { fromBase64 } from './strings.js';
import { isTimestamp, ZERO_TIME } from './time.js';

/** A message and how it is written, where that says more than the message. */
export interface StoredMessage {
  readonly message: Message;
  /** The stop reason in the file when it is not a known one; the message has `unknown` then. */
  readonly stopReason?: string;
  /** All blocks of the file, when some are of a kind that such a message cannot contain; the message lacks those. */
  readonly content?: readonly ContentBlock[];
}

const MESSAGE_FIELDS = {
  type: readText,
  content: readContent,
  timestamp: readTimestamp,
  stop_reason: readText,
  raw_stop_reason: readText,
  usage: readUsage,
  tool_call_id: readText,
  tool_name: readText,
  is_error: (reader: EnvelopeReader, name: string) => reader.boolean(name),
} as const;

/** Reads the message at `reader.place`. @throws InvalidDataError naming place and problem. */
export function readMessage(reader: EnvelopeReader): StoredMessage {
  const wire = reader.record('', MESSAGE_FIELDS);
  const { type, timestamp = ZERO_TIME, content: blocks = [] } = wire;
  switch (type) {
    case 'user': {
      const { content, rest } = blocksOf(type, blocks);
      return { message: { role: type, content: content as UserContent[], timestamp }, ...rest };
    }
    case 'assistant':
      return toAssistant(wire);
    case 'tool_result': {
      const { content, rest } = blocksOf(type, blocks);
      const call = { toolCallId: wire.tool_call_id ?? '', toolName: wire.tool_name ?? '' };
      return { message: { role: type, ...call, content: content as ToolResultContent[], isError: wire.is_error ?? false, timestamp }, ...rest };
    }
    default:
      return reader.refuse('type', `unknown message type ${JSON.stringify(type ?? null)}`);
  }
}

/** Reads a text; `undefined` when it is null. */
function readText(reader: EnvelopeReader, name: string): string | undefined {
  return reader.text(name);
}

/** Reads a time; null is Go's zero time. */
export function readTimestamp(reader: EnvelopeReader, name: string): Timestamp {
  const value = reader.text(name);
  if (value === undefined) return ZERO_TIME;
  if (!isTimestamp(value)) reader.refuse(name, `must be an RFC 3339 time with a zone, found ${JSON.stringify(value.slice(0, 60))}`);
  return value;
}

const USAGE_FIELDS = { input_tokens: readCount, output_tokens: readCount, cache_read_tokens: readCount, cache_write_tokens: readCount } as const;

function readUsage(reader: EnvelopeReader, name: string): Usage {
  if (reader.takeNull()) return NO_USAGE;
  const {
    input_tokens: inputTokens = 0,
    output_tokens: outputTokens = 0,
    cache_read_tokens: cacheReadTokens = 0,
    cache_write_tokens: cacheWriteTokens = 0,
  } = reader.record(name, USAGE_FIELDS);
  return { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
}

function readCount(reader: EnvelopeReader, name: string): number | undefined {
  return reader.integer(`usage.${name}`);
}

/** The blocks that a message of a role can contain, and all blocks when there are others; Pipe does not check that. */
function blocksOf(role: Role, blocks: readonly ContentBlock[]): { content: readonly ContentBlock[]; rest: Pick<StoredMessage, 'content'> } {
  const content = blocks.filter((block) => canHold(role, block));
  return { content, rest: content.length === blocks.length ? {} : { content: blocks } };
}

function toAssistant(wire: FieldsRead<typeof MESSAGE_FIELDS>): StoredMessage {
  const { content, rest } = blocksOf('assistant', wire.content ?? []);
  const word = wire.stop_reason ?? '';
  const stopReason = STOP_REASONS.find((reason): reason is StopReason => reason === word);
  const message = {
    role: 'assistant' as const,
    content: content as AssistantContent[],
    stopReason: stopReason ?? 'unknown',
    rawStopReason: wire.raw_stop_reason ?? '',
    usage: wire.usage ?? NO_USAGE,
    timestamp: wire.timestamp ?? ZERO_TIME,
  };
  return stopReason === undefined ? { message, stopReason: word, ...rest } : { message, ...rest };
}

const HOLDS: Readonly<Record<Role, readonly ContentBlock['type'][]>> = {
  user: ['text', 'image'],
  assistant: ['text', 'thinking', 'tool_call'],
  tool_result: ['text', 'image'],
};

/** Whether a message of a role can contain a block. */
function canHold(role: Role, block: ContentBlock): boolean {
  return HOLDS[role].includes(block.type);
}

/** Reads the list of blocks of the message at `reader.place`. */
function readContent(reader: EnvelopeReader, name: string): readonly ContentBlock[] {
  const message = reader.place;
  const blocks: ContentBlock[] = [];
  for (const index of reader.itemsOf(name)) {
    reader.place = `${message}.content[${index}]`;
    blocks.push(readBlock(reader));
    reader.place = message;
  }
  return blocks;
}

const BLOCK_FIELDS = {
  type: readText,
  text: readText,
  thinking: readText,
  signature: readText,
  data: (reader: EnvelopeReader, name: string) => reader.textPlace(name),
  mime_type: readText,
  id: readText,
  name: readText,
  arguments: (reader: EnvelopeReader) => (reader.takeNull() ? undefined : reader.raw()),
} as const;

function readBlock(reader: EnvelopeReader): ContentBlock {
  const wire = reader.record('', BLOCK_FIELDS);
  switch (wire.type) {
    case 'text':
      return { type: 'text', text: wire.text ?? '' };
    case 'thinking':
      return { type: 'thinking', thinking: wire.thinking ?? '', ...signatureOf(reader, wire.signature) };
    case 'image':
      // Pipe takes any media type; what a model does not take is for the provider to leave out.
      return toImage(reader, wire.data, (wire.mime_type ?? '') as ImageMimeType);
    case 'tool_call': {
      const call = { id: wire.id ?? '', name: wire.name ?? '', arguments: readArguments(wire.arguments) };
      return { type: 'tool_call', ...call, ...signatureOf(reader, wire.signature) };
    }
    default:
      return reader.refuse('type', `unknown block type ${JSON.stringify(wire.type ?? null)}`);
  }
}

/** Decodes an image; one that stays in its file is read on each access. */
function toImage(reader: EnvelopeReader, place: StringPlace | undefined, mimeType: ImageMimeType): ImageBlock {
  const load = place && reader.leaveImage(place);
  if (load === undefined) return { type: 'image', data: bytes(reader, 'data', place === undefined ? '' : reader.stringAt(place)), mimeType };
  return {
    type: 'image',
    get data() {
      return load();
    },
    mimeType,
  };
}

function signatureOf(reader: EnvelopeReader, text: string | undefined): { signature?: Uint8Array } {
  return text === undefined || text === '' ? {} : { signature: bytes(reader, 'signature', text) };
}

function bytes(reader: EnvelopeReader, field: string, text: string): Uint8Array {
  return fromBase64(text) ?? reader.refuse(field, 'is not valid base64');
}

/** The version of the envelope that is read and written. */
export const ENVELOPE_VERSION = 1;

/** What an envelope says about its session, apart from the messages. */
export interface EnvelopeHead {
  /** The id in the file, whose name may differ. */
  readonly id: string;
  readonly systemPrompt: string;
  readonly createdAt: Timestamp;
  readonly updatedAt: Timestamp;
}

/** A whole v1 file. */
export interface DecodedSession extends EnvelopeHead {
  readonly messages: readonly StoredMessage[];
}

/**
 * Reads a v1 envelope in steps, one a message, so that a caller can let other work run in between.
 *
 * Read over: unknown keys, missing or null fields (they get Go's zero values), any stop reason, white space at the end.
 * Key names must match exactly, while Go also takes other capitals; Pipe never writes such.
 * Refused: another version than the integer 1, an unknown type of message or block, a value of the wrong kind, a time
 * without zone, token counts that are no whole numbers, broken base64, a byte-order mark, anything after the end.
 * @throws InvalidDataError naming place and problem.
 */
export function* decodeEnvelope(reader: EnvelopeReader): Generator<undefined, DecodedSession> {
  try {
    return yield* readEnvelope(reader);
  } catch (error) {
    throw reader.explain(error);
  }
}

/** {@link decodeEnvelope} of bytes in memory. */
export function* decodeSteps(bytes: Uint8Array): Generator<undefined, DecodedSession> {
  return yield* decodeEnvelope(new EnvelopeReader(bytesOf(bytes)));
}

/** The fields of the head, in an envelope and in a journal. */
export const HEAD_FIELDS = { id: readText, system_prompt: readText, created_at: readTimestamp, updated_at: readTimestamp } as const;

/** The head of which fields were read; what is missing has Go's zero value. */
export function headOf(fields: FieldsRead<typeof HEAD_FIELDS>): EnvelopeHead {
  const { id = '', system_prompt: systemPrompt = '', created_at: createdAt = ZERO_TIME, updated_at: updatedAt = ZERO_TIME } = fields;
  return { id, systemPrompt, createdAt, updatedAt };
}

const ENVELOPE_FIELDS = { ...HEAD_FIELDS, version: readVersion } as const;

function* readEnvelope(reader: EnvelopeReader): Generator<undefined, DecodedSession> {
  const fields: FieldsRead<typeof ENVELOPE_FIELDS> = {};
  let messages: StoredMessage[] = [];
  for (const key of reader.keysOf('')) {
    if (key === 'messages') messages = yield* readMessages(reader);
    else reader.field(key, ENVELOPE_FIELDS, fields);
  }
  reader.end();
  if (fields.version === undefined) reader.refuse('version', 'is missing');
  return { ...headOf(fields), messages };
}

function* readMessages(reader: EnvelopeReader): Generator<undefined, StoredMessage[]> {
  const messages: StoredMessage[] = [];
  for (const index of reader.itemsOf('messages')) {
    reader.place = `messages[${index}]`;
    messages.push(readMessage(reader));
    reader.place = '';
    yield undefined;
  }
  return messages;
}

function readVersion(reader: EnvelopeReader): number {
  const found = reader.raw();
  if (found !== String(ENVELOPE_VERSION)) {
    reader.refuse('version', `must be the integer ${ENVELOPE_VERSION}, found ${found.slice(0, 40)}; another program or a newer version wrote this file`);
  }
  return ENVELOPE_VERSION;
}
