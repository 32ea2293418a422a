import { t } from '../../domain/l10n.js';
import type { TextBlock } from '../../domain/model/content.js';
import { messageTokens } from '../../engine/context/message-tokens.js';
import { textTokens } from '../../text/text-tokens.js';
import { encodedData } from './format-body.js';

/** A part of a request, and about how many tokens it takes. */
export interface RequestPart {
  readonly name: string;
  readonly tokens: number;
}

/** Fields that say what something is, and no tokens of their own worth counting. */
const SMALL_FIELDS: ReadonlySet<string> = new Set(['type', 'role', 'id', 'call_id', 'tool_call_id', 'tool_use_id', 'media_type', 'cache_control', 'status']);
/** Characters of encrypted reasoning for each token of it: three bytes of four characters, four bytes a token. */
const ENCRYPTED_CHARACTERS_PER_TOKEN = 16 / 3;
const TIMESTAMP = '1970-01-01T00:00:00.000Z';

/**
 * The parts of a body, as the wire formats name them, with the engine's own estimate of their tokens. Empty for a body that
 * is no JSON object.
 */
export function requestParts(json: string): readonly RequestPart[] {
  const body = parsed(json);
  if (typeof body !== 'object' || body === null) return [];
  const field = (name: string): unknown => Reflect.get(body, name);
  const part = (name: string, value: unknown): readonly RequestPart[] => (value === undefined || value === null ? [] : [{ name, tokens: tokensOf(value) }]);
  return [
    ...part(t('System prompt'), field('system') ?? field('instructions')),
    ...toolsPart(field('tools')),
    ...messageParts(field('messages') ?? field('input')),
    ...part(t('Prompt'), field('prompt')),
    ...part(t('Suffix'), field('suffix')),
  ];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // There is nothing to tell apart in it.
    return undefined;
  }
}

function toolsPart(tools: unknown): readonly RequestPart[] {
  if (!Array.isArray(tools) || tools.length === 0) return [];
  return [{ name: t('Tools ({0})', tools.length), tokens: tools.reduce((total: number, tool) => total + textTokens(JSON.stringify(tool)), 0) }];
}

function messageParts(messages: unknown): readonly RequestPart[] {
  if (typeof messages === 'string') return [{ name: t('Message {0}: {1}', 1, 'user'), tokens: tokensOf(messages) }];
  if (!Array.isArray(messages)) return [];
  return messages.map((message, index) => ({ name: t('Message {0}: {1}', index + 1, roleOf(message)), tokens: tokensOf(message) }));
}

/** The role of a message; of an item that has none, its type. */
function roleOf(message: unknown): string {
  const role: unknown = Reflect.get(Object(message), 'role');
  const type: unknown = Reflect.get(Object(message), 'type');
  return typeof role === 'string' ? role : typeof type === 'string' ? type : '?';
}

/** The content of a part, in the form that the engine measures. */
interface Content {
  readonly texts: TextBlock[];
  /** Lengths of images in base64, and of encrypted reasoning. */
  readonly images: number[];
  readonly encrypted: number[];
}

function tokensOf(value: unknown): number {
  const content: Content = { texts: [], images: [], encrypted: [] };
  collect(value, '', content);
  const images = content.images.map((characters) => ({
    type: 'image' as const,
    data: new Uint8Array(Math.floor((characters * 3) / 4)),
    mimeType: 'image/png' as const,
  }));
  const tokens = messageTokens({ role: 'user', content: [...content.texts, ...images], timestamp: TIMESTAMP });
  return Math.ceil(content.encrypted.reduce((total, characters) => total + characters / ENCRYPTED_CHARACTERS_PER_TOKEN, tokens));
}

/** @param field that the value is in; `''` for that of a list, and for the whole */
function collect(value: unknown, field: string, content: Content): void {
  if (SMALL_FIELDS.has(field)) return;
  if (typeof value === 'string') {
    const data = encodedData(value);
    if (data === undefined) content.texts.push({ type: 'text', text: value });
    else if (field === 'data' || data.before.startsWith('data:image/')) content.images.push(data.characters);
    else content.encrypted.push(data.characters);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const inList = Array.isArray(value);
  for (const [name, inner] of Object.entries(value)) collect(inner, inList ? '' : name, content);
}
