import type Anthropic from '@anthropic-ai/sdk';
import { assertNever } from '../../domain/assert-never.js';
import type { AssistantContent, ImageBlock, ThinkingBlock, ToolCallBlock, ToolResultContent, UserContent } from '../../domain/model/content.js';
import type { ToolResultMessage } from '../../domain/model/message.js';

/** Bytes of a signature are the UTF-8 of the API's string; a byte-order mark in it would be part of it. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const bytes = new TextEncoder();

/** The bytes under which a signature of the API is kept; they go back unchanged. */
export function signatureBytes(signature: string): Uint8Array {
  return bytes.encode(signature);
}

function signatureText(signature: Uint8Array): string {
  return utf8.decode(signature);
}

/** What a user or a tool can say. */
export type SayableBlock = Anthropic.TextBlockParam | Anthropic.ImageBlockParam;

/** Text and images in the API's form. Text without a visible character is left out: the API refuses it. */
export function wireContent(content: readonly (UserContent | ToolResultContent)[]): SayableBlock[] {
  return content.flatMap((block): SayableBlock[] => {
    if (block.type === 'image') return [wireImage(block)];
    return hasText(block.text) ? [{ type: 'text', text: block.text }] : [];
  });
}

/**
 * What the model said, in the API's form. Thinking without a signature was cut off or is another model's, and is left
 * out: the API takes only what it signed.
 */
export function wireAssistantContent(content: readonly AssistantContent[]): Anthropic.ContentBlockParam[] {
  return content.flatMap((block): Anthropic.ContentBlockParam[] => {
    switch (block.type) {
      case 'text':
        return hasText(block.text) ? [{ type: 'text', text: block.text }] : [];
      case 'thinking':
        return wireThinking(block);
      case 'tool_call':
        return [{ type: 'tool_use', id: wireId(block.id), name: block.name, input: wireInput(block) }];
      default:
        return assertNever(block);
    }
  });
}

/** Tools that the API loads when a search finds them. */
export interface FoundTools {
  /** Name of the tool that searches. */
  readonly finder: string;
  /** Names of the tools that can be found. */
  readonly deferred: ReadonlySet<string>;
}

/** The result of a tool. An error must not be empty, and contains text only. */
export function wireResult(message: ToolResultMessage, found?: FoundTools): Anthropic.ToolResultBlockParam {
  const content = wireContent(message.content);
  const base = { type: 'tool_result' as const, tool_use_id: wireId(message.toolCallId) };
  const references = message.isError ? [] : referencesIn(message, found);
  if (references.length > 0) return { ...base, content: references };
  if (!message.isError) return content.length === 0 ? base : { ...base, content };
  const texts = content.filter((block) => block.type === 'text');
  return { ...base, is_error: true, content: texts.length > 0 ? texts : [{ type: 'text', text: 'The tool failed without a message.' }] };
}

/**
 * What a search found, as references: the API puts the definitions in their place, and from then on the model calls the tools
 * as any other. Only what can still be loaded; a reference to anything else is refused.
 * Source: platform.claude.com, "Tool search tool", "Custom tool search implementation".
 */
function referencesIn({ toolName, outcome }: ToolResultMessage, found: FoundTools | undefined): Anthropic.ToolReferenceBlockParam[] {
  if (toolName !== found?.finder || outcome?.kind !== 'found_tools') return [];
  return outcome.names.filter((name) => found.deferred.has(name)).map((name) => ({ type: 'tool_reference', tool_name: name }));
}

function wireThinking(block: ThinkingBlock): Anthropic.ContentBlockParam[] {
  if (block.signature === undefined) return [];
  const signature = signatureText(block.signature);
  return block.redacted === true ? [{ type: 'redacted_thinking', data: signature }] : [{ type: 'thinking', thinking: block.thinking, signature }];
}

/** The arguments as the object that the API wants; what is no JSON object was never run and becomes an empty one. */
function wireInput(block: ToolCallBlock): unknown {
  try {
    const value: unknown = JSON.parse(block.arguments);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** The API takes only these characters in the id of a call; ids of other providers may contain others. */
function wireId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, (character) => `_${character.codePointAt(0)?.toString(16) ?? ''}_`);
}

function wireImage(block: ImageBlock): Anthropic.ImageBlockParam {
  const { buffer, byteOffset, byteLength } = block.data;
  const data = Buffer.from(buffer, byteOffset, byteLength).toString('base64');
  return { type: 'image', source: { type: 'base64', media_type: block.mimeType, data } };
}

function hasText(text: string): boolean {
  return text.trim() !== '';
}
