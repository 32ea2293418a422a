import { t } from '../../../domain/l10n.js';
import { malformedAnswer } from '../../../domain/model/accumulator.js';
import type { StreamPart } from '../../../domain/model/event-stream.js';
import type { StopReason } from '../../../domain/model/message.js';
import type { Usage } from '../../../domain/model/usage.js';
import type { PartBatch } from '../../part-stream.js';
import type { AnswerReader } from '../answer-parts.js';
import { BlockNumbers } from '../call-reader.js';
import { type JsonRecord, count, list, record, text } from '../json.js';
import { type ReasoningNote, noteBytes } from '../replay.js';

/** What an item of the output becomes; `other` is passed over. */
type Kind = 'text' | 'thinking' | 'call' | 'other';

const KINDS: Readonly<Record<string, Kind>> = { message: 'text', reasoning: 'thinking', function_call: 'call' };

/** An item that is being put together. */
interface OpenItem {
  readonly kind: Kind;
  readonly block: number;
  /** Whether anything of it came in deltas. */
  heard: boolean;
  /** Whether it has anything that goes back to the model. */
  visible: boolean;
  ended: boolean;
  phase: string;
  note: ReasoningNote | undefined;
}

/** Why the model stopped, in the API's words for an answer that is incomplete. Every other one is `unknown`. */
const STOP_REASONS: Readonly<Record<string, StopReason>> = { max_output_tokens: 'length', max_tokens: 'length' };

const NOTHING: readonly StreamPart[] = [];

/**
 * Translates the events of one answer over Responses. What it does not know it passes over. Format:
 * developers.openai.com, "Streaming events".
 */
export class EventReader implements AnswerReader {
  private readonly blocks = new BlockNumbers();
  private readonly items: OpenItem[] = [];
  /** The items by the number that the API gives them, the latest of each. */
  private readonly byIndex = new Map<number, OpenItem>();
  private refused = false;
  private end: { readonly stopReason: StopReason; readonly rawStopReason: string } | undefined;

  /** Whether the model has said that it is done. */
  get stopped(): boolean {
    return this.end !== undefined;
  }

  /**
   * The parts of an event, in order.
   * @throws ProviderError of kind `protocol` for what is no object.
   */
  read(value: unknown): PartBatch {
    const event = record(value);
    if (event === undefined) throw malformedAnswer(t('it contains an unexpected part'));
    switch (event['type']) {
      case 'response.output_text.delta':
        return this.said('text', event);
      case 'response.refusal.delta':
        this.refused = true;
        return this.said('text', event);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.said('thinking', event);
      case 'response.reasoning_summary_part.added':
        return this.nextSummary(event);
      case 'response.function_call_arguments.delta':
        return this.argued(event);
      case 'response.output_item.added':
        return this.added(event);
      case 'response.output_item.done':
        return this.done(event);
      case 'response.completed':
      case 'response.incomplete':
        return this.finished(record(event['response']) ?? {}, event['type'] === 'response.completed');
      default:
        return NOTHING;
    }
  }

  /** What is known only at the end: what goes back with the next request, and why the model stopped. */
  finish(): readonly StreamPart[] {
    if (this.end === undefined) return NOTHING;
    const whole = this.end.stopReason === 'tool_use' || this.end.stopReason === 'end_turn';
    const ends = this.items.filter((item) => item.kind === 'call' && !item.ended && whole).map(({ block }): StreamPart => ({ type: 'block_end', index: block }));
    return [...ends, ...this.signatures(), ...this.phases(), { type: 'stop', ...this.end }];
  }

  private said(type: 'text' | 'thinking', event: JsonRecord): PartBatch {
    const delta = text(event['delta']);
    if (delta === '') return NOTHING;
    const item = this.itemOf(event, type);
    item.heard = true;
    if (!item.visible) item.visible = /\S/.test(delta);
    return { type, index: item.block, delta };
  }

  /** The parts of a summary are paragraphs. */
  private nextSummary(event: JsonRecord): PartBatch {
    const item = this.itemOf(event, 'thinking');
    return item.heard ? { type: 'thinking', index: item.block, delta: '\n\n' } : NOTHING;
  }

  private argued(event: JsonRecord): PartBatch {
    const item = this.byIndex.get(numberOf(event));
    const delta = text(event['delta']);
    if (item?.kind !== 'call' || item.ended || delta === '') return NOTHING;
    item.heard = true;
    return { type: 'tool_call_delta', index: item.block, delta };
  }

  private added(event: JsonRecord): PartBatch {
    const item = record(event['item']) ?? {};
    const open = this.begin(numberOf(event), kindOf(item));
    return open.kind === 'call' ? callBegin(open, item) : NOTHING;
  }

  /** An item is whole. What did not come in deltas comes here: some gateways send none. */
  private done(event: JsonRecord): PartBatch {
    const item = record(event['item']) ?? {};
    const kind = kindOf(item);
    const known = this.byIndex.get(numberOf(event));
    const open = known?.kind === kind && !known.ended ? known : this.begin(numberOf(event), kind);
    const begin = open !== known && kind === 'call' ? [callBegin(open, item)] : NOTHING;
    switch (kind) {
      case 'text':
        return this.textDone(open, item);
      case 'thinking':
        return this.thinkingDone(open, item);
      case 'call':
        return [...begin, ...callDone(open, item)];
      case 'other':
        return NOTHING;
    }
  }

  private textDone(open: OpenItem, item: JsonRecord): readonly StreamPart[] {
    const parts = list(item['content']).map(record);
    const words = parts.map((part) => text(part?.['text']) || text(part?.['refusal'])).join('');
    open.phase = text(item['phase']);
    if (parts.some((part) => part?.['type'] === 'refusal')) this.refused = true;
    return whole(open, 'text', words);
  }

  private thinkingDone(open: OpenItem, item: JsonRecord): readonly StreamPart[] {
    const summary = list(item['summary']);
    const encrypted = text(item['encrypted_content']);
    const id = text(item['id']);
    // Without its content it is nothing that a server could read which has stored nothing.
    if (encrypted !== '' && id !== '') open.note = { kind: 'reasoning', id, summary, encrypted };
    const words = [...summary, ...list(item['content'])].map((part) => text(record(part)?.['text']));
    return whole(open, 'thinking', words.join('\n\n'));
  }

  private finished(response: JsonRecord, complete: boolean): PartBatch {
    this.end = this.stop(complete, text(record(response['incomplete_details'])?.['reason']) || 'incomplete');
    const usage = record(response['usage']);
    return usage === undefined ? NOTHING : { type: 'usage', usage: usageOf(usage) };
  }

  private stop(complete: boolean, reason: string): { readonly stopReason: StopReason; readonly rawStopReason: string } {
    if (!complete) return { stopReason: STOP_REASONS[reason] ?? 'unknown', rawStopReason: reason };
    if (this.refused) return { stopReason: 'unknown', rawStopReason: 'refusal' };
    return { stopReason: this.items.some(({ kind }) => kind === 'call') ? 'tool_use' : 'end_turn', rawStopReason: 'completed' };
  }

  /**
   * The reasoning that can go back: the API refuses a reasoning item without the one that followed it, and nothing is sent
   * of blank texts, of items of other kinds, and of what came no more.
   */
  private signatures(): readonly StreamPart[] {
    const items = this.inOrder();
    return items.flatMap(({ note, block }, place): readonly StreamPart[] => {
      const follower = items.slice(place).find(({ kind }) => kind !== 'thinking');
      const sent = follower !== undefined && (follower.kind === 'call' || (follower.kind === 'text' && follower.visible));
      return note === undefined || !sent ? [] : [{ type: 'signature', index: block, signature: noteBytes(note) }];
    });
  }

  /** `phase` tells comments on the way from the answer; models from gpt-5.3-codex on want it back with each text. */
  private phases(): readonly StreamPart[] {
    const phases = this.inOrder().filter(({ kind, visible }) => kind === 'text' && visible).map(({ phase }) => phase);
    if (phases.every((phase) => phase === '')) return NOTHING;
    return [{ type: 'redacted_thinking', index: this.blocks.take(), data: noteBytes({ kind: 'phases', phases }) }];
  }

  private inOrder(): readonly OpenItem[] {
    return [...this.items].sort((a, b) => a.block - b.block);
  }

  private itemOf(event: JsonRecord, kind: Kind): OpenItem {
    const known = this.byIndex.get(numberOf(event));
    return known?.kind === kind ? known : this.begin(numberOf(event), kind);
  }

  private begin(index: number, kind: Kind): OpenItem {
    const item: OpenItem = { kind, block: this.blocks.take(index), heard: false, visible: false, ended: false, phase: '', note: undefined };
    this.items.push(item);
    this.byIndex.set(index, item);
    return item;
  }
}

/** The number of the item that an event is about, in the order of the output. */
function numberOf(event: JsonRecord): number {
  return count(event['output_index']) ?? 0;
}

/** A call without a name is nothing that could be run. */
function kindOf(item: JsonRecord): Kind {
  const kind = KINDS[text(item['type'])] ?? 'other';
  return kind === 'call' && text(item['name']) === '' ? 'other' : kind;
}

function callBegin({ block }: OpenItem, item: JsonRecord): StreamPart {
  return { type: 'tool_call_begin', index: block, id: text(item['call_id']) || text(item['id']) || `call_${block}`, name: text(item['name']) };
}

function callDone(open: OpenItem, item: JsonRecord): readonly StreamPart[] {
  const args = text(item['arguments']);
  const delta: readonly StreamPart[] = open.heard || args === '' ? NOTHING : [{ type: 'tool_call_delta', index: open.block, delta: args }];
  open.heard = true;
  if (item['status'] === 'incomplete') return delta;
  open.ended = true;
  return [...delta, { type: 'block_end', index: open.block }];
}

function whole(open: OpenItem, type: 'text' | 'thinking', words: string): readonly StreamPart[] {
  if (open.heard || words === '') return NOTHING;
  open.heard = true;
  open.visible = /\S/.test(words);
  return [{ type, index: open.block, delta: words }];
}

/** Token counts; those of the output include the reasoning. */
/** The token counts of an answer. */
export function usageOf(usage: JsonRecord): Usage {
  const details = record(usage['input_tokens_details']);
  const cached = count(details?.['cached_tokens']) ?? 0;
  const written = count(details?.['cache_write_tokens']) ?? 0;
  const inputTokens = Math.max(0, (count(usage['input_tokens']) ?? 0) - cached - written);
  return { inputTokens, outputTokens: count(usage['output_tokens']) ?? 0, cacheReadTokens: cached, cacheWriteTokens: written };
}
