import type { ContentBlock, ImageBlock, ImageMimeType } from '../../domain/model/content.js';
import type { Role } from '../../domain/model/message.js';
import { readArguments } from './arguments.js';
import { fromBase64 } from './bytes.js';
import type { EnvelopeReader } from './reader.js';

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
export function readContent(reader: EnvelopeReader): readonly ContentBlock[] {
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
export function canHold(role: Role, block: ContentBlock): boolean {
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
