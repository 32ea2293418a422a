import { present } from '../present.js';
import { t } from '../l10n.js';
import { assertNever } from '../assert-never.js';
import { ProviderError } from '../errors.js';
import type { AssistantContent, ToolCallBlock } from './content.js';
import type { AssistantMessage, StopReason, Timestamp } from './message.js';
import type { StreamEvent } from './stream-event.js';
import type { StreamPart } from './event-stream.js';
import { NO_USAGE, type Usage } from './usage.js';

type Part<T extends StreamPart['type']> = Extract<StreamPart, { type: T }>;

/** A text block while it grows. */
interface OpenText {
  readonly type: 'text';
  text: string;
  ended: boolean;
}

/** A thinking block while it grows. With `redacted` it was whole from the start. */
interface OpenThinking {
  readonly type: 'thinking';
  text: string;
  signature: Uint8Array | undefined;
  readonly redacted: boolean;
  ended: boolean;
}

/** A tool call while its arguments grow. */
interface OpenCall {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  text: string;
  ended: boolean;
}

/** A block of a message that is being assembled. */
type OpenBlock = OpenText | OpenThinking | OpenCall;

/** Names a block in an error about the order of a stream. */
function describeBlock(block: OpenBlock | undefined): string {
  if (block === undefined) return 'unknown';
  return block.ended ? `an ended ${block.type}` : `a ${block.type}`;
}

/** The call as it is so far. A model that sends no arguments at all means an empty object. */
function callBlock(block: OpenCall): ToolCallBlock {
  return { type: 'tool_call', id: block.id, name: block.name, arguments: block.text === '' ? '{}' : block.text };
}

/** The block as content of a message; none when nothing arrived that could be stored. */
function contentOf(block: OpenBlock): readonly AssistantContent[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ type: 'text', text: block.text }];
    case 'tool_call':
      return [callBlock(block)];
    case 'thinking':
      return thinkingContent(block);
    default:
      return assertNever(block);
  }
}

function thinkingContent(block: OpenThinking): readonly AssistantContent[] {
  if (block.text === '' && block.signature === undefined) return [];
  return [{ type: 'thinking', thinking: block.text, ...present({ signature: block.signature }), ...(block.redacted ? { redacted: true as const } : {}) }];
}

/**
 * Assembles one assistant message from the parts of a provider's stream and says what each part means.
 *
 * Blocks may interleave; the message has them in the order of the provider's indexes. Blocks that stayed empty
 * are left out, so a partial message can always be stored.
 */
export class Accumulator {
  private readonly blocks = new Map<number, OpenBlock>();
  private usage: Usage = NO_USAGE;
  private stop: { readonly stopReason: StopReason; readonly rawStopReason: string } | undefined;

  /**
   * Takes the next part.
   * @returns the event that a listener should see, if the part has one.
   * @throws ProviderError of kind `protocol` when the part contradicts an earlier one; the message so far stays usable.
   */
  add(part: StreamPart): StreamEvent | undefined {
    switch (part.type) {
      case 'text':
        return this.addText(part);
      case 'thinking':
        return this.addThinking(part);
      case 'tool_call_begin':
        return this.beginCall(part);
      case 'tool_call_delta':
        return this.addArguments(part);
      case 'block_end':
        return this.end(part.index);
      default:
        this.note(part);
        return undefined;
    }
  }

  /**
   * Checks that the stream may end here.
   * @throws ProviderError of kind `interrupted` without a stop reason, `protocol` with a call that was never finished.
   */
  finish(): void {
    if (this.stop === undefined) {
      throw cutOff();
    }
    const complete = this.stop.stopReason === 'tool_use' || this.stop.stopReason === 'end_turn';
    for (const block of this.blocks.values()) {
      if (complete && block.type === 'tool_call' && !block.ended) {
        throw malformedAnswer(`the call of ${block.name} was never finished`);
      }
    }
  }

  /** The message so far. `override` replaces the stop reason, for answers that were cut off. */
  message(timestamp: Timestamp, override?: { stopReason: StopReason; rawStopReason: string }): AssistantMessage {
    const blocks = [...this.blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
    const stop = override ?? this.stop ?? { stopReason: 'unknown', rawStopReason: '' };
    return { role: 'assistant', content: blocks.flatMap(contentOf), ...stop, usage: this.usage, timestamp };
  }

  /** Takes a part that no listener sees. */
  private note(part: Part<'signature' | 'redacted_thinking' | 'usage' | 'stop'>): void {
    switch (part.type) {
      case 'signature':
        this.thinking(part.index).signature = part.signature;
        return;
      case 'redacted_thinking':
        this.open(part.index, { type: 'thinking', text: '', signature: part.data, redacted: true, ended: false });
        return;
      case 'usage':
        this.usage = { ...this.usage, ...part.usage };
        return;
      case 'stop':
        this.stop = { stopReason: part.stopReason, rawStopReason: part.rawStopReason };
        return;
      default:
        assertNever(part);
    }
  }

  private addText({ index, delta }: Part<'text'>): StreamEvent | undefined {
    const block = this.blocks.get(index) ?? this.open(index, { type: 'text', text: '', ended: false });
    if (block.type !== 'text' || block.ended) throw misplaced('text', index, block);
    block.text += delta;
    return delta === '' ? undefined : { type: 'text_delta', index, delta };
  }

  private addThinking({ index, delta }: Part<'thinking'>): StreamEvent | undefined {
    this.thinking(index).text += delta;
    return delta === '' ? undefined : { type: 'thinking_delta', index, delta };
  }

  private thinking(index: number): OpenThinking {
    const block = this.blocks.get(index) ?? this.open(index, { type: 'thinking', text: '', signature: undefined, redacted: false, ended: false });
    if (block.type !== 'thinking' || block.ended || block.redacted) throw misplaced('thinking', index, block);
    return block;
  }

  private beginCall({ index, id, name }: Part<'tool_call_begin'>): StreamEvent {
    if (id === '' || name === '') throw malformedAnswer('a call has no id or no name');
    for (const block of this.blocks.values()) {
      if (block.type === 'tool_call' && block.id === id) throw malformedAnswer(`two calls have the id ${id}`);
    }
    this.open(index, { type: 'tool_call', id, name, text: '', ended: false });
    return { type: 'tool_call_begin', index, id, name };
  }

  private addArguments({ index, delta }: Part<'tool_call_delta'>): StreamEvent | undefined {
    const block = this.blocks.get(index);
    if (block?.type !== 'tool_call' || block.ended) throw misplaced('arguments', index, block);
    block.text += delta;
    return delta === '' ? undefined : { type: 'tool_call_delta', index, id: block.id, delta };
  }

  private end(index: number): StreamEvent | undefined {
    const block = this.blocks.get(index);
    // A block without content never began here.
    if (block === undefined) return undefined;
    if (block.ended) throw malformedAnswer(`block ${index} ended twice`);
    block.ended = true;
    return block.type === 'tool_call' ? { type: 'tool_call_end', index, call: callBlock(block) } : undefined;
  }

  private open<B extends OpenBlock>(index: number, block: B): B {
    if (this.blocks.has(index)) throw malformedAnswer(`block ${index} began twice`);
    this.blocks.set(index, block);
    return block;
  }
}

/** An answer that ended without having been finished. */
export function cutOff(): ProviderError {
  return new ProviderError('interrupted', t('The response was cut off. The part received is kept.'), { fact: t('The response was cut off.') });
}

/** An answer that breaks the rules of its format. @param what is wrong with it, for a bug report */
export function malformedAnswer(what: string, cause?: unknown): ProviderError {
  return new ProviderError('protocol', t('The model’s response is malformed: {0}. Try again.', what), { fact: t('The model’s response is malformed.'), cause });
}

function misplaced(what: string, index: number, block: OpenBlock | undefined): ProviderError {
  return malformedAnswer(`${what} for block ${index}, which is ${describeBlock(block)}`);
}
