import type { AssistantContent, ContentBlock, ToolResultContent, UserContent, ImageBlock, ImageMimeType } from '../../domain/model/content.js';
import type { Message, Role, StopReason, Timestamp } from '../../domain/model/message.js';
import { STOP_REASONS } from '../../domain/model/message.js';
import type { Usage } from '../../domain/model/usage.js';
import { NO_USAGE } from '../../domain/model/usage.js';
import type { EnvelopeReader } from './reader.js';
import { isTimestamp, ZERO_TIME } from './time.js';
import { readArguments } from './arguments.js';
import { fromBase64 } from './bytes.js';

/** A message and how it is written, where that says more than the message. */
export interface StoredMessage {
  readonly message: Message;
  /** The word in the file when it is none of the known stop reasons; the message has `unknown` then. */
  readonly stopReason?: string;
  /** All blocks of the file, when some are of a kind that such a message cannot hold; the message lacks those. */
  readonly content?: readonly ContentBlock[];
}

interface WireMessage {
  type: string | undefined;
  content: readonly ContentBlock[];
  timestamp: Timestamp;
  stop_reason: string | undefined;
  raw_stop_reason: string | undefined;
  usage: Usage;
  tool_call_id: string | undefined;
  tool_name: string | undefined;
  isError: boolean | undefined;
}

/** Reads the message at `reader.place`. @throws InvalidDataError naming place and problem. */
export function readMessage(reader: EnvelopeReader): StoredMessage {
  const wire: WireMessage = {
    type: undefined,
    content: [],
    timestamp: ZERO_TIME,
    stop_reason: undefined,
    raw_stop_reason: undefined,
    usage: NO_USAGE,
    tool_call_id: undefined,
    tool_name: undefined,
    isError: undefined,
  };
  reader.object('', (key) => readField(reader, wire, key));
  return toMessage(reader, wire);
}

/** Reads a time; missing or null is Go's zero time. */
export function readTimestamp(reader: EnvelopeReader, name: string): Timestamp {
  const value = reader.string(name);
  if (value === undefined) return ZERO_TIME;
  if (!isTimestamp(value)) reader.refuse(name, `must be an RFC 3339 time with a zone, found ${JSON.stringify(value.slice(0, 60))}`);
  return value;
}

function readField(reader: EnvelopeReader, wire: WireMessage, key: string): void {
  switch (key) {
    case 'type':
    case 'stop_reason':
    case 'raw_stop_reason':
    case 'tool_call_id':
    case 'tool_name':
      wire[key] = reader.string(key);
      return;
    case 'content':
      wire.content = readContent(reader);
      return;
    case 'timestamp':
      wire.timestamp = readTimestamp(reader, key);
      return;
    case 'usage':
      wire.usage = reader.takeNull() ? NO_USAGE : readUsage(reader);
      return;
    case 'is_error':
      wire.isError = reader.boolean(key);
      return;
    default:
      reader.raw();
  }
}

const COUNTS: ReadonlyMap<string, keyof Usage> = new Map([
  ['input_tokens', 'inputTokens'],
  ['output_tokens', 'outputTokens'],
  ['cache_read_tokens', 'cacheReadTokens'],
  ['cache_write_tokens', 'cacheWriteTokens'],
]);

function readUsage(reader: EnvelopeReader): Usage {
  const usage = { ...NO_USAGE };
  reader.object('usage', (key) => {
    const field = COUNTS.get(key);
    if (field === undefined) reader.raw();
    else usage[field] = reader.integer(`usage.${key}`) ?? 0;
  });
  return usage;
}

function toMessage(reader: EnvelopeReader, wire: WireMessage): StoredMessage {
  const { timestamp, type } = wire;
  switch (type) {
    case 'user': {
      const { content, rest } = blocksOf(type, wire.content);
      return { message: { role: type, content: content as UserContent[], timestamp }, ...rest };
    }
    case 'assistant':
      return toAssistant(wire);
    case 'tool_result': {
      const { content, rest } = blocksOf(type, wire.content);
      const call = { toolCallId: wire.tool_call_id ?? '', toolName: wire.tool_name ?? '' };
      return { message: { role: type, ...call, content: content as ToolResultContent[], isError: wire.isError ?? false, timestamp }, ...rest };
    }
    default:
      return reader.refuse('type', `unknown message type ${JSON.stringify(wire.type ?? null)}`);
  }
}

/** The blocks that a message of some role can hold, and all of them when there are others; Pipe does not check that. */
function blocksOf(role: Role, blocks: readonly ContentBlock[]): { content: readonly ContentBlock[]; rest: Pick<StoredMessage, 'content'> } {
  const content = blocks.filter((block) => canHold(role, block));
  return { content, rest: content.length === blocks.length ? {} : { content: blocks } };
}

function toAssistant(wire: WireMessage): StoredMessage {
  const { content, rest } = blocksOf('assistant', wire.content);
  const word = wire.stop_reason ?? '';
  const stopReason = STOP_REASONS.find((reason): reason is StopReason => reason === word);
  const message = {
    role: 'assistant' as const,
    content: content as AssistantContent[],
    stopReason: stopReason ?? 'unknown',
    rawStopReason: wire.raw_stop_reason ?? '',
    usage: wire.usage,
    timestamp: wire.timestamp,
  };
  return stopReason === undefined ? { message, stopReason: word, ...rest } : { message, ...rest };
}

/** The fields of any block, as they stand in the file. */
interface WireBlock {
  type: string | undefined;
  text: string | undefined;
  thinking: string | undefined;
  signature: string | undefined;
  data: string | undefined;
  mimeType: string | undefined;
  id: string | undefined;
  name: string | undefined;
  arguments: string | undefined;
}

const HOLDS: Readonly<Record<Role, readonly ContentBlock['type'][]>> = {
  user: ['text', 'image'],
  assistant: ['text', 'thinking', 'tool_call'],
  tool_result: ['text', 'image'],
};

/** Reads the list of blocks of the message at `reader.place`. */
function readContent(reader: EnvelopeReader): readonly ContentBlock[] {
  const message = reader.place;
  const blocks: ContentBlock[] = [];
  for (let more = reader.firstItem('content'); more; more = reader.nextItem()) {
    reader.place = `${message}.content[${blocks.length}]`;
    blocks.push(toBlock(reader, readWireBlock(reader)));
    reader.place = message;
  }
  return blocks;
}

/** Whether a message of some role can hold a block. */
function canHold(role: Role, block: ContentBlock): boolean {
  return HOLDS[role].includes(block.type);
}

function readWireBlock(reader: EnvelopeReader): WireBlock {
  const wire: WireBlock = {
    type: undefined,
    text: undefined,
    thinking: undefined,
    signature: undefined,
    data: undefined,
    mimeType: undefined,
    id: undefined,
    name: undefined,
    arguments: undefined,
  };
  reader.object('', (key) => {
    if (key === 'arguments') wire.arguments = reader.takeNull() ? undefined : reader.raw();
    else if (key === 'mime_type') wire.mimeType = reader.string(key);
    else if (isStringField(key)) wire[key] = reader.string(key);
    else reader.raw();
  });
  return wire;
}

const STRING_FIELDS = ['type', 'text', 'thinking', 'signature', 'data', 'id', 'name'] as const;

function isStringField(key: string): key is (typeof STRING_FIELDS)[number] {
  return STRING_FIELDS.some((field) => field === key);
}

function toBlock(reader: EnvelopeReader, wire: WireBlock): ContentBlock {
  switch (wire.type) {
    case 'text':
      return { type: 'text', text: wire.text ?? '' };
    case 'thinking':
      return { type: 'thinking', thinking: wire.thinking ?? '', ...signatureOf(reader, wire) };
    case 'image':
      // Pipe takes any media type; what a model does not take is for the provider to leave out.
      return toImage(reader, wire.data ?? '', (wire.mimeType ?? '') as ImageMimeType);
    case 'tool_call': {
      const call = { id: wire.id ?? '', name: wire.name ?? '', arguments: readArguments(wire.arguments) };
      return { type: 'tool_call', ...call, ...signatureOf(reader, wire) };
    }
    default:
      return reader.refuse('type', `unknown block type ${JSON.stringify(wire.type ?? null)}`);
  }
}

/** A picture that was left out of the text is read whenever somebody looks at it. */
function toImage(reader: EnvelopeReader, text: string, mimeType: ImageMimeType): ImageBlock {
  const load = reader.picture(text);
  if (load === undefined) return { type: 'image', data: bytes(reader, 'data', text), mimeType };
  return {
    type: 'image',
    get data() {
      return load();
    },
    mimeType,
  };
}

function signatureOf(reader: EnvelopeReader, wire: WireBlock): { signature?: Uint8Array } {
  if (wire.signature === undefined || wire.signature === '') return {};
  return { signature: bytes(reader, 'signature', wire.signature) };
}

function bytes(reader: EnvelopeReader, field: string, text: string): Uint8Array {
  return fromBase64(text) ?? reader.refuse(field, 'is not valid base64');
}
