import { assertNever } from '../../../domain/assert-never.js';
import type { ImageBlock, TextBlock } from '../../../domain/model/content.js';
import type { AssistantMessage, Message, ToolResultMessage } from '../../../domain/model/message.js';
import { noteOf } from '../replay.js';
import { dataUrl, hasText } from '../wire-messages.js';

/** Text or a picture that goes to the model. */
type WireInput = { readonly type: 'input_text'; readonly text: string } | { readonly type: 'input_image'; readonly image_url: string };

/** The model's reasoning, as it came. */
interface WireReasoning {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly unknown[];
  readonly encrypted_content: string;
}

/** What the model said. */
interface WireSaid {
  readonly type: 'message';
  readonly role: 'assistant';
  readonly content: readonly [{ readonly type: 'output_text'; readonly text: string }];
  readonly phase?: string;
}

/** An item of the input, in the form of the API. */
export type WireItem =
  | { readonly type: 'message'; readonly role: 'user'; readonly content: readonly WireInput[] }
  | WireReasoning
  | WireSaid
  | { readonly type: 'function_call'; readonly call_id: string; readonly name: string; readonly arguments: string }
  | { readonly type: 'function_call_output'; readonly call_id: string; readonly output: string | readonly WireInput[] };

/**
 * The conversation as items. Those of the model go without the ids that they came with: by these the API would look for
 * the reasoning that belongs to them, and refuse a call or a text whose reasoning was made for another model and left
 * out (`'function_call' was provided without its required 'reasoning' item`, cline/cline#12242).
 */
export function wireItems(messages: readonly Message[]): readonly WireItem[] {
  return messages.flatMap((message): readonly WireItem[] => {
    switch (message.role) {
      case 'user': {
        const content = wireInputs(message.content);
        return content.length === 0 ? [] : [{ type: 'message', role: 'user', content }];
      }
      case 'tool_result':
        return [{ type: 'function_call_output', call_id: message.toolCallId, output: outputOf(message) }];
      case 'assistant':
        return answerItems(message);
      default:
        return assertNever(message);
    }
  });
}

/** Reasoning waits for what it led to: alone it is refused (`provided without its required following item`, vercel/ai#7099). */
function answerItems(message: AssistantMessage): readonly WireItem[] {
  const items: WireItem[] = [];
  let reasoning: WireReasoning[] = [];
  const notes = message.content.map(noteOf);
  const phases = notes.flatMap((note) => (note?.kind === 'phases' ? note.phases : []));
  let texts = 0;
  const add = (item: WireItem): void => {
    items.push(...reasoning, item);
    reasoning = [];
  };
  for (const [place, block] of message.content.entries()) {
    const note = notes[place];
    if (note?.kind === 'reasoning') reasoning.push({ type: 'reasoning', id: note.id, summary: note.summary, encrypted_content: note.encrypted });
    if (block.type === 'tool_call') add({ type: 'function_call', call_id: block.id, name: block.name, arguments: block.arguments });
    if (block.type !== 'text' || !hasText(block.text)) continue;
    const phase = phases[texts++] ?? '';
    add({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: block.text }], ...(phase === '' ? {} : { phase }) });
  }
  return items;
}

/** Text where there is nothing else: not every gateway takes a list. */
function outputOf({ content, isError }: ToolResultMessage): string | readonly WireInput[] {
  const parts = wireInputs(content);
  if (parts.length === 0) return isError ? 'The tool failed without a message.' : '(no output)';
  const texts = parts.flatMap((part) => (part.type === 'input_text' ? [part.text] : []));
  return texts.length === parts.length ? texts.join('\n\n') : parts;
}

function wireInputs(content: readonly (TextBlock | ImageBlock)[]): readonly WireInput[] {
  return content.flatMap((block): readonly WireInput[] => {
    if (block.type === 'image') return [{ type: 'input_image', image_url: dataUrl(block) }];
    return hasText(block.text) ? [{ type: 'input_text', text: block.text }] : [];
  });
}
