import type Anthropic from '@anthropic-ai/sdk';
import { ProviderError } from '../../domain/errors.js';
import { malformedAnswer } from '../../domain/model/accumulator.js';
import type { StopReason } from '../../domain/model/message.js';
import type { StreamPart } from '../../domain/model/event-stream.js';
import { signatureBytes } from './wire-blocks.js';
import type { Usage } from '../../domain/model/usage.js';

/** What the SDK yields: one raw event of the Messages stream. */
export type RawEvent = Anthropic.RawMessageStreamEvent;

/** A block that has begun. */
interface Block {
  readonly type: string;
  signature: string;
  ended: boolean;
  /** Arguments that came whole in the beginning, as some endpoints send them; `undefined` once there are deltas. */
  input: string | undefined;
}

const NOTHING: readonly StreamPart[] = [];

/** Maps the API's stop reasons to Gnomon's; every other one is `unknown`. */
const STOP_REASONS: Readonly<Record<string, StopReason>> = { end_turn: 'end_turn', stop_sequence: 'end_turn', max_tokens: 'length', tool_use: 'tool_use' };

/**
 * Translates the events of one answer. Events, blocks and deltas of a kind that it does not know are passed over:
 * the API may add some at any time. Format: platform.claude.com, "Streaming messages".
 */
export class EventReader {
  /** Whether `message_stop` came: nothing that follows belongs to the answer. */
  ended = false;
  /** By the number that each has here. */
  private readonly blocks = new Map<number, Block>();
  /** The number here of the last block that began under a number of the server, which may give all the same one, or none. */
  private readonly numbers = new Map<number | undefined, number>();
  /** The number here of the block that began last. */
  private last = -1;
  private readonly usage = new UsageCounter();
  /** Ids of calls. */
  private readonly ids = new Set<string>();

  /** Whether something of the answer has come. */
  get begun(): boolean {
    return this.blocks.size > 0;
  }

  /** Whether the answer calls tools. */
  get hasCalls(): boolean {
    return [...this.blocks.values()].some(({ type }) => type === 'tool_use');
  }

  /**
   * The parts of an event, in order.
   * @throws ProviderError of kind `protocol` for a delta of a block that never began, and for an event without its fields.
   */
  read(event: RawEvent): StreamPart | readonly StreamPart[] {
    try {
      return this.parts(event);
    } catch (error) {
      throw error instanceof ProviderError ? error : malformedAnswer('a part of it has another form');
    }
  }

  private parts(event: RawEvent): StreamPart | readonly StreamPart[] {
    switch (event.type) {
      case 'content_block_delta':
        return this.delta(this.numberOf(event.index), event.delta);
      case 'content_block_start':
        return this.begin(event.index, event.content_block);
      case 'content_block_stop':
        return this.end(this.numberOf(event.index));
      case 'message_start':
        return { type: 'usage', usage: this.usage.add(event.message.usage) };
      case 'message_delta':
        return [{ type: 'usage', usage: this.usage.add(event.usage) }, ...this.stop(event.delta.stop_reason)];
      case 'message_stop':
        this.ended = true;
        return NOTHING;
      default:
        return NOTHING;
    }
  }

  private begin(given: unknown, block: Anthropic.RawContentBlockStartEvent['content_block']): readonly StreamPart[] {
    const before = this.blocks.get(this.numberOf(given));
    if (before?.ended === false && typeof given === 'number') throw malformedAnswer(`block ${given} began twice`);
    const number = serverNumber(given);
    const index = number === undefined || before !== undefined ? Math.max(-1, ...this.blocks.keys()) + 1 : number;
    this.numbers.set(number, index);
    this.last = index;
    const open: Block = { type: block.type, signature: '', ended: false, input: undefined };
    this.blocks.set(index, open);
    switch (block.type) {
      case 'text':
        return [{ type: 'text', index, delta: textOrNothing(block.text) }];
      case 'thinking':
        return [{ type: 'thinking', index, delta: textOrNothing(block.thinking) }, ...this.sign(index, open, textOrNothing(block.signature))];
      case 'redacted_thinking':
        return [{ type: 'redacted_thinking', index, data: signatureBytes(text(block.data)) }];
      case 'tool_use':
        open.input = wholeInput(block.input);
        return [{ type: 'tool_call_begin', index, id: this.idOf(block.id, index), name: text(block.name) }];
      default:
        return NOTHING;
    }
  }

  /** The number here of a block that the server means; -1 for none. */
  private numberOf(given: unknown): number {
    const number = serverNumber(given);
    return number === undefined ? this.last : (this.numbers.get(number) ?? -1);
  }

  private delta(index: number, delta: Anthropic.RawContentBlockDelta | null): StreamPart | readonly StreamPart[] {
    const block = this.blocks.get(index);
    if (delta === null) return NOTHING;
    if (block === undefined) throw malformedAnswer('there is more of a block that never began');
    switch (delta.type) {
      case 'text_delta':
        return { type: 'text', index, delta: text(delta.text) };
      case 'thinking_delta':
        return { type: 'thinking', index, delta: text(delta.thinking) };
      case 'input_json_delta':
        if (block.type !== 'tool_use') return NOTHING;
        if (delta.partial_json !== '') block.input = undefined;
        return { type: 'tool_call_delta', index, delta: text(delta.partial_json) };
      case 'signature_delta':
        return this.sign(index, block, text(delta.signature));
      default:
        return NOTHING;
    }
  }

  private end(index: number): readonly StreamPart[] {
    const block = this.blocks.get(index);
    if (block !== undefined) block.ended = true;
    const end: StreamPart = { type: 'block_end', index };
    return block?.input === undefined ? [end] : [{ type: 'tool_call_delta', index, delta: block.input }, end];
  }

  /** Says why the answer is over. Calls of which some gateways never say that they have ended, have then. */
  private stop(reason: string | null | undefined): readonly StreamPart[] {
    if (typeof reason !== 'string') return NOTHING;
    const whole = STOP_REASONS[reason] === 'tool_use' || STOP_REASONS[reason] === 'end_turn';
    const open = [...this.blocks].flatMap(([index, { type, ended }]) => (whole && type === 'tool_use' && !ended ? [index] : []));
    return [...open.flatMap((index) => this.end(index)), { type: 'stop', stopReason: STOP_REASONS[reason] ?? 'unknown', rawStopReason: reason }];
  }

  /** The id of a call, or one in its place where a gateway gives none, or the same one twice. */
  private idOf(id: unknown, index: number): string {
    let usable = typeof id === 'string' && id !== '' && !this.ids.has(id) ? id : `call_${index}`;
    while (this.ids.has(usable)) usable += '_';
    this.ids.add(usable);
    return usable;
  }

  private sign(index: number, block: Block, more: string): readonly StreamPart[] {
    if (more === '') return NOTHING;
    block.signature += more;
    return [{ type: 'signature', index, signature: signatureBytes(block.signature) }];
  }
}

/** The number of a block, as the server gives it; `undefined` for none. */
function serverNumber(given: unknown): number | undefined {
  return typeof given === 'number' && Number.isSafeInteger(given) ? given : undefined;
}

/** A field that must be text. The SDK's types promise it; an endpoint may not keep the promise. */
function text(value: unknown): string {
  if (typeof value !== 'string') throw malformedAnswer('a part of it has no text');
  return value;
}

/** A field at the beginning of a block that some endpoints leave out. */
function textOrNothing(value: unknown): string {
  return value === undefined || value === null ? '' : text(value);
}

function wholeInput(input: unknown): string | undefined {
  const present = typeof input === 'object' && input !== null && Object.keys(input).length > 0;
  return present ? JSON.stringify(input) : undefined;
}

/** Token counts as the API sends them; from outside, so nothing is certain. */
interface WireUsage {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_creation?: { readonly ephemeral_1h_input_tokens?: number } | null;
}

/**
 * Token counts of one answer. `message_start` and `message_delta` both contain totals and not increments, and some
 * endpoints send 0 in one of them, so the largest of each counts.
 */
export class UsageCounter {
  private usage: Usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

  /** Takes counts and gives the totals so far. */
  add(wire: WireUsage | null | undefined): Usage {
    const { usage } = this;
    const hour = larger(usage.hourCacheWriteTokens ?? 0, wire?.cache_creation?.ephemeral_1h_input_tokens);
    this.usage = {
      inputTokens: larger(usage.inputTokens, wire?.input_tokens),
      outputTokens: larger(usage.outputTokens, wire?.output_tokens),
      cacheReadTokens: larger(usage.cacheReadTokens, wire?.cache_read_input_tokens),
      cacheWriteTokens: Math.max(hour, larger(usage.cacheWriteTokens, wire?.cache_creation_input_tokens)),
      ...(hour > 0 ? { hourCacheWriteTokens: hour } : {}),
    };
    return this.usage;
  }
}

function larger(known: number, count: unknown): number {
  return Number.isSafeInteger(count) && (count as number) > known ? (count as number) : known;
}
