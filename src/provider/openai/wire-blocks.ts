import type { ImageBlock, TextBlock, ToolCallBlock } from '../../domain/model/content.js';
import type { AssistantMessage, ToolResultMessage } from '../../domain/model/message.js';
import { wireCallId } from './call-ids.js';
import type { Dialect } from './dialect.js';
import { notesOf } from './replay.js';
import type { WireAssistant, WireCall, WirePart, WireTool } from './wire.js';

/** What a person or a tool can say. */
type Sayable = TextBlock | ImageBlock;

/** Text and pictures as the parts of a message. Text without a visible character is left out. */
export function wireParts(content: readonly Sayable[]): WirePart[] {
  return content.flatMap((block): WirePart[] => {
    if (block.type === 'image') return [{ type: 'image_url', image_url: { url: dataUrl(block) } }];
    return hasText(block.text) ? [{ type: 'text', text: block.text }] : [];
  });
}

/** Only text, blocks apart by an empty line. */
export function plainText(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.flatMap(({ text }) => (text !== undefined && hasText(text) ? [text] : [])).join('\n\n');
}

/** What the model said, with what must go back; `undefined` when nothing is left that could be sent. */
export function wireAssistant(message: AssistantMessage, dialect: Dialect): WireAssistant | undefined {
  const content = message.content.flatMap((block) => (block.type === 'text' ? [block] : [])).map(({ text }) => text).join('');
  const calls = message.content.filter((block) => block.type === 'tool_call').map((block) => wireCall(block, dialect));
  if (!hasText(content) && calls.length === 0) return undefined;
  const base: WireAssistant = { role: 'assistant', content: hasText(content) ? content : null };
  return withReplay(calls.length === 0 ? base : { ...base, tool_calls: calls }, message, dialect);
}

/** The answer of a tool: text only, because a tool message holds nothing else. */
export function wireResult(message: ToolResultMessage, dialect: Dialect): WireTool {
  const said = plainText(message.content);
  const silent = message.isError ? 'The tool failed without a message.' : message.content.length > 0 ? '(see the picture)' : '(no output)';
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

function dataUrl({ data, mimeType }: ImageBlock): string {
  const { buffer, byteOffset, byteLength } = data;
  return `data:${mimeType};base64,${Buffer.from(buffer, byteOffset, byteLength).toString('base64')}`;
}

function hasText(text: string): boolean {
  return text.trim() !== '';
}
