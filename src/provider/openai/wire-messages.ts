import { assertNever } from '../../domain/assert-never.js';
import type { ImageBlock, TextBlock, ToolCallBlock } from '../../domain/model/content.js';
import type { AssistantMessage, Message, ToolResultMessage } from '../../domain/model/message.js';
import type { Dialect } from './dialect.js';
import { wireCallId } from './call-reader.js';
import { notesOf } from './replay.js';

/** Asks for what comes up to here to be kept in a cache. */
export interface WireMark {
  readonly cache_control: { readonly type: 'ephemeral' };
}

/** Text or an image of a message. */
export type WirePart =
  | ({ readonly type: 'text'; readonly text: string } & Partial<WireMark>)
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** A call in a message of the model. */
interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** Gemini's thought signature. */
  readonly extra_content?: unknown;
}

/** A message of the model. */
interface WireAssistant {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly WireCall[];
  /** DeepSeek's name for its reasoning. */
  readonly reasoning_content?: string;
  /** OpenRouter's. */
  readonly reasoning?: string;
  readonly reasoning_details?: readonly unknown[];
}

/** A message of a user. */
interface WireUser {
  readonly role: 'user';
  readonly content: string | readonly WirePart[];
}

/** The answer of a tool. */
interface WireTool {
  readonly role: 'tool';
  readonly tool_call_id: string;
  /** Text only. */
  readonly content: string | readonly WirePart[];
}

/** A message in the form of the API, with the fields that servers added to it. */
export type WireMessage = WireAssistant | WireUser | WireTool | { readonly role: 'system' | 'developer'; readonly content: string | readonly WirePart[] };

/** Said for the model where a server wants it to speak between a tool's result and the user. */
const BRIDGE = 'I have read the results.';

/**
 * The conversation in the API's form. Messages of which nothing is left are dropped, and what the user said in a row
 * is one message: many chat templates accept nothing else. Images of tools follow behind all results of the round in
 * a user message, because a tool message cannot contain any and results must stay together.
 */
export function wireMessages(messages: readonly Message[], dialect: Dialect): WireMessage[] {
  const builder = new Conversation(dialect);
  for (const message of messages) builder.add(message);
  return builder.end();
}

class Conversation {
  private readonly wire: WireMessage[] = [];
  /** Images of tools that still have to be shown. */
  private images: WirePart[] = [];

  constructor(private readonly dialect: Dialect) {}

  add(message: Message): void {
    switch (message.role) {
      case 'tool_result':
        this.wire.push(wireResult(message, this.dialect));
        this.images.push(...imagesOf(message));
        return;
      case 'user':
        this.addUser([...this.takeImages(), ...wireParts(message.content)]);
        return;
      case 'assistant': {
        this.addUser(this.takeImages());
        const said = wireAssistant(message, this.dialect);
        if (said !== undefined) this.wire.push(said);
        return;
      }
      default:
        assertNever(message);
    }
  }

  end(): WireMessage[] {
    this.addUser(this.takeImages());
    return this.wire;
  }

  private takeImages(): WirePart[] {
    const images = this.images;
    this.images = [];
    return images;
  }

  private addUser(parts: readonly WirePart[]): void {
    if (parts.length === 0) return;
    const last = this.wire.at(-1);
    if (last?.role === 'user') {
      this.wire[this.wire.length - 1] = { role: 'user', content: compact([...partsOf(last.content), ...parts]) };
      return;
    }
    if (last?.role === 'tool' && this.dialect.bridgesUserAfterTool) this.wire.push({ role: 'assistant', content: BRIDGE });
    this.wire.push({ role: 'user', content: compact(parts) });
  }
}

function imagesOf({ toolName, content }: ToolResultMessage): WirePart[] {
  const images = content.filter((block): block is ImageBlock => block.type === 'image');
  return images.length === 0 ? [] : [{ type: 'text', text: `From the result of ${toolName}:` }, ...wireParts(images)];
}

function partsOf(content: string | readonly WirePart[]): readonly WirePart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Plain text where there is nothing else: every server takes that, and not every one a list. */
function compact(parts: readonly WirePart[]): string | readonly WirePart[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n\n') : parts;
}

/** What a user or a tool can say. */
type Sayable = TextBlock | ImageBlock;

/** Text and images as the parts of a message. Text without a visible character is left out. */
function wireParts(content: readonly Sayable[]): WirePart[] {
  return content.flatMap((block): WirePart[] => {
    if (block.type === 'image') return [{ type: 'image_url', image_url: { url: dataUrl(block) } }];
    return hasText(block.text) ? [{ type: 'text', text: block.text }] : [];
  });
}

/** Only text, blocks apart by an empty line. */
function plainText(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.flatMap(({ text }) => (text !== undefined && hasText(text) ? [text] : [])).join('\n\n');
}

/** What the model said, with what must go back; `undefined` when nothing is left that could be sent. */
function wireAssistant(message: AssistantMessage, dialect: Dialect): WireAssistant | undefined {
  const content = message.content
    .flatMap((block) => (block.type === 'text' ? [block] : []))
    .map(({ text }) => text)
    .join('');
  const calls = message.content.filter((block) => block.type === 'tool_call').map((block) => wireCall(block, dialect));
  if (!hasText(content) && calls.length === 0) return undefined;
  const base: WireAssistant = { role: 'assistant', content: hasText(content) ? content : null };
  return withReplay(calls.length === 0 ? base : { ...base, tool_calls: calls }, message, dialect);
}

/** The result of a tool: text only, because a tool message cannot contain anything else. */
function wireResult(message: ToolResultMessage, dialect: Dialect): WireTool {
  const said = plainText(message.content);
  const silent = message.isError ? 'The tool failed without a message.' : message.content.length > 0 ? '(see the image)' : '(no output)';
  return { role: 'tool', tool_call_id: wireCallId(message.toolCallId, dialect), content: said === '' ? silent : said };
}

function wireCall(block: ToolCallBlock, dialect: Dialect): WireCall {
  return { id: wireCallId(block.id, dialect), type: 'function', function: { name: block.name, arguments: block.arguments } };
}

function withReplay(wire: WireAssistant, message: AssistantMessage, { replay }: Dialect): WireAssistant {
  const notes = notesOf(message);
  const thought = notes.flatMap(({ note, thinking }) => (note.kind === 'field' ? [thinking] : [])).join('');
  switch (replay) {
    case 'none':
      return wire;
    case 'reasoning_content':
      return thought === '' && wire.tool_calls === undefined ? wire : { ...wire, reasoning_content: thought };
    case 'reasoning_details': {
      const details = notes.flatMap(({ note }) => (note.kind === 'details' ? note.details : []));
      if (details.length > 0) return { ...wire, reasoning_details: details };
      return thought === '' ? wire : { ...wire, reasoning: thought };
    }
    case 'extra_content':
      return withExtras(wire, Object.assign({}, ...notes.map(({ note }) => (note.kind === 'calls' ? note.extras : {}))) as Record<string, unknown>);
  }
}

/**
 * Calls that another model made have no signature. Gemini takes this word in its place, on the first call of a message.
 * Source: ai.google.dev, "Thought Signatures", the questions at its end.
 */
const NO_SIGNATURE = { google: { thought_signature: 'skip_thought_signature_validator' } };

function withExtras(wire: WireAssistant, extras: Readonly<Record<string, unknown>>): WireAssistant {
  const calls = wire.tool_calls?.map((call, place): WireCall => {
    const extra = extras[String(place)] ?? (place === 0 ? NO_SIGNATURE : undefined);
    return extra === undefined ? call : { ...call, extra_content: extra };
  });
  return calls === undefined ? wire : { ...wire, tool_calls: calls };
}

/** An image as the APIs take it. */
export function dataUrl({ data, mimeType }: ImageBlock): string {
  const { buffer, byteOffset, byteLength } = data;
  return `data:${mimeType};base64,${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}`;
}

/** Whether a text has a visible character; APIs refuse those without. */
export function hasText(text: string): boolean {
  return text.trim() !== '';
}
