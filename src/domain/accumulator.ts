import { assertNever } from './assert-never.js';
import type { AssistantContent, ToolCallBlock } from './content.js';
import { ProviderError } from './errors.js';
import type { AssistantMessage, StopReason, Timestamp } from './message.js';
import type { StreamEvent } from './stream-event.js';
import type { StreamPart } from './stream-part.js';
import type { Usage } from './usage.js';
import { NO_USAGE } from './usage.js';

interface OpenText {
  readonly type: 'text';
  text: string;
  ended: boolean;
}
interface OpenThinking {
  readonly type: 'thinking';
  text: string;
  signature: Uint8Array | undefined;
  readonly redacted: boolean;
  ended: boolean;
}
interface OpenCall {
  readonly type: 'tool_call';
  readonly id: string;
  readonly name: string;
  text: string;
  ended: boolean;
}
type OpenBlock = OpenText | OpenThinking | OpenCall;

/**
 * Assembles one assistant message from the parts of a provider's stream and says what each part means (G20, G21).
 *
 * Blocks may interleave; the message holds them in the order of the provider's indexes. Blocks that stayed empty
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
        return this.addText(part.index, part.delta);
      case 'thinking':
        return this.addThinking(part.index, part.delta);
      case 'signature':
        this.thinking(part.index).signature = part.signature;
        return undefined;
      case 'redacted_thinking':
        this.open(part.index, { type: 'thinking', text: '', signature: part.data, redacted: true, ended: false });
        return undefined;
      case 'tool_call_begin':
        return this.beginCall(part);
      case 'tool_call_delta':
        return this.addArguments(part.index, part.delta);
      case 'block_end':
        return this.end(part.index);
      case 'usage':
        this.usage = { ...this.usage, ...part.usage };
        return undefined;
      case 'stop':
        this.stop = { stopReason: part.stopReason, rawStopReason: part.rawStopReason };
        return undefined;
      default:
        return assertNever(part);
    }
  }

  /**
   * Checks that the stream may end here.
   * @throws ProviderError of kind `interrupted` without a stop reason, `protocol` with a call that was never finished.
   */
  finish(): void {
    if (this.stop === undefined) {
      throw new ProviderError('interrupted', 'The answer broke off before its end. What arrived is kept.');
    }
    const complete = this.stop.stopReason === 'tool_use' || this.stop.stopReason === 'end_turn';
    for (const block of this.blocks.values()) {
      if (complete && block.type === 'tool_call' && !block.ended) {
        throw protocolError(`the call of ${block.name} was never finished`);
      }
    }
  }

  /** The message so far. `override` replaces the stop reason, for answers that were cut off. */
  message(timestamp: Timestamp, override?: { stopReason: StopReason; rawStopReason: string }): AssistantMessage {
    const indexes = [...this.blocks.keys()].sort((a, b) => a - b);
    const content = indexes.flatMap((index) => closeBlock(this.blocks.get(index)));
    const stop = override ?? this.stop ?? { stopReason: 'unknown', rawStopReason: '' };
    return { role: 'assistant', content, ...stop, usage: this.usage, timestamp };
  }

  private addText(index: number, delta: string): StreamEvent | undefined {
    const block = this.blocks.get(index) ?? this.open(index, { type: 'text', text: '', ended: false });
    if (block.type !== 'text' || block.ended) throw protocolError(`text for block ${index}, which is ${describe(block)}`);
    block.text += delta;
    return delta === '' ? undefined : { type: 'text_delta', index, delta };
  }

  private addThinking(index: number, delta: string): StreamEvent | undefined {
    this.thinking(index).text += delta;
    return delta === '' ? undefined : { type: 'thinking_delta', index, delta };
  }

  private thinking(index: number): OpenThinking {
    const fresh = (): OpenThinking => ({ type: 'thinking', text: '', signature: undefined, redacted: false, ended: false });
    const block = this.blocks.get(index) ?? this.open(index, fresh());
    if (block.type !== 'thinking' || block.ended || block.redacted) {
      throw protocolError(`thinking for block ${index}, which is ${describe(block)}`);
    }
    return block;
  }

  private beginCall(part: { index: number; id: string; name: string }): StreamEvent {
    for (const block of this.blocks.values()) {
      if (block.type === 'tool_call' && block.id === part.id) throw protocolError(`two calls have the id ${part.id}`);
    }
    this.open(part.index, { type: 'tool_call', id: part.id, name: part.name, text: '', ended: false });
    return { type: 'tool_call_begin', index: part.index, id: part.id, name: part.name };
  }

  private addArguments(index: number, delta: string): StreamEvent | undefined {
    const block = this.blocks.get(index);
    if (block?.type !== 'tool_call' || block.ended) {
      throw protocolError(`arguments for block ${index}, which is ${describe(block)}`);
    }
    block.text += delta;
    return delta === '' ? undefined : { type: 'tool_call_delta', index, id: block.id, delta };
  }

  private end(index: number): StreamEvent | undefined {
    const block = this.blocks.get(index);
    if (block === undefined) return undefined;
    if (block.ended) throw protocolError(`block ${index} ended twice`);
    block.ended = true;
    return block.type === 'tool_call' ? { type: 'tool_call_end', index, call: callBlock(block) } : undefined;
  }

  private open<B extends OpenBlock>(index: number, block: B): B {
    const present = this.blocks.get(index);
    if (present !== undefined) throw protocolError(`block ${index} began twice`);
    this.blocks.set(index, block);
    return block;
  }
}

function protocolError(what: string): ProviderError {
  return new ProviderError('protocol', `The model's answer is not well-formed: ${what}. Try again.`);
}

function describe(block: OpenBlock | undefined): string {
  if (block === undefined) return 'unknown';
  return block.ended ? `an ended ${block.type}` : `a ${block.type}`;
}

function callBlock(block: OpenCall): ToolCallBlock {
  return { type: 'tool_call', id: block.id, name: block.name, arguments: block.text === '' ? '{}' : block.text };
}

function closeBlock(block: OpenBlock | undefined): readonly AssistantContent[] {
  switch (block?.type) {
    case undefined:
      return [];
    case 'text':
      return block.text === '' ? [] : [{ type: 'text', text: block.text }];
    case 'tool_call':
      return [callBlock(block)];
    case 'thinking':
      return closeThinking(block);
    default:
      return assertNever(block);
  }
}

function closeThinking(block: OpenThinking): readonly AssistantContent[] {
  if (block.text === '' && block.signature === undefined) return [];
  return [
    {
      type: 'thinking',
      thinking: block.text,
      ...(block.signature === undefined ? {} : { signature: block.signature }),
      ...(block.redacted ? { redacted: true as const } : {}),
    },
  ];
}
