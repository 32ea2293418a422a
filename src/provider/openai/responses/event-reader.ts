import { t } from '../../../domain/l10n.js';
import { malformedAnswer } from '../../../domain/model/accumulator.js';
import type { StreamPart } from '../../../domain/model/event-stream.js';
import type { StopReason } from '../../../domain/model/message.js';
import type { Usage } from '../../../domain/model/usage.js';
import type { PartBatch } from '../../part-stream.js';
import type { AnswerReader } from '../answer-parts.js';
import { count, type JsonRecord, list, record, text } from '../json.js';
import { noteBytes } from '../replay.js';
import { Items, kindOf, type OpenItem, partOf, partsOf } from './items.js';

/** Why the model stopped, in the API's words for an answer that is incomplete. Every other one is `unknown`. */
const STOP_REASONS: Readonly<Record<string, StopReason>> = { max_output_tokens: 'length', max_tokens: 'length' };

const NOTHING: readonly StreamPart[] = [];

/**
 * Translates the events of one answer over Responses. What it does not know it passes over. What did not come as a delta is taken
 * from the events of whole parts, of whole items, and of the whole response: gateways send only some of them. Format:
 * developers.openai.com, "Streaming events".
 */
export class EventReader implements AnswerReader {
  private readonly items = new Items();
  private refused = false;
  private end: { readonly stopReason: StopReason; readonly rawStopReason: string } | undefined;

  /** Whether the model has said that it is done. */
  get stopped(): boolean {
    return this.end !== undefined;
  }

  /**
   * The parts of an event, in order.
   * @throws ProviderError of kind `protocol` for what is not an object, and for arguments that belong to no known call.
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
        this.items.spokenOf(event, 'thinking').nextPart();
        return NOTHING;
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
        return this.partDone(event);
    }
  }

  /**
   * What is known only at the end: what goes back with the next request, and why the model stopped.
   * @throws ProviderError of kind `protocol` for a call whose arguments never came: without them it would do something else.
   */
  finish(): readonly StreamPart[] {
    if (this.end === undefined) return NOTHING;
    const whole = this.end.stopReason === 'tool_use' || this.end.stopReason === 'end_turn';
    const open = whole ? this.items.inOrder().filter((item) => item.kind === 'call' && !item.ended) : [];
    if (open.some(({ argued }) => !argued)) throw malformedAnswer('the arguments of a call never came');
    const ends = open.map(({ block }): StreamPart => ({ type: 'block_end', index: block }));
    return [...ends, ...this.signatures(), ...this.phases(), { type: 'stop', ...this.end }];
  }

  private said(type: 'text' | 'thinking', event: JsonRecord): PartBatch {
    const delta = text(event['delta']);
    if (delta === '') return NOTHING;
    const item = this.items.spokenOf(event, type);
    return more(item, type, item.hear(partOf(event), delta));
  }

  /** A part is whole. */
  private partDone(event: JsonRecord): PartBatch {
    switch (event['type']) {
      case 'response.output_text.done':
        return this.saidWhole('text', event, event['text']);
      case 'response.refusal.done':
        this.refused = true;
        return this.saidWhole('text', event, event['refusal']);
      case 'response.reasoning_summary_text.done':
      case 'response.reasoning_text.done':
        return this.saidWhole('thinking', event, event['text']);
      case 'response.function_call_arguments.done':
        return this.arguedWhole(event);
      default:
        return NOTHING;
    }
  }

  private saidWhole(type: 'text' | 'thinking', event: JsonRecord, words: unknown): PartBatch {
    if (text(words) === '') return NOTHING;
    const item = this.items.spokenOf(event, type);
    return more(item, type, item.hearPart(partOf(event), text(words)));
  }

  private argued(event: JsonRecord): PartBatch {
    const delta = text(event['delta']);
    const item = delta === '' ? undefined : this.items.calledIn(event);
    return item === undefined || item.ended ? NOTHING : argumentsOf(item, item.hear('arguments', delta));
  }

  private arguedWhole(event: JsonRecord): PartBatch {
    if (typeof event['arguments'] !== 'string') return NOTHING;
    const item = this.items.calledIn(event);
    return item === undefined || item.ended ? NOTHING : argumentsOf(item, item.argue(event['arguments']));
  }

  private added(event: JsonRecord): PartBatch {
    const item = record(event['item']) ?? {};
    const { open, isNew } = this.items.announced(event, item);
    return open.kind === 'call' && isNew ? this.callBegin(open, item) : NOTHING;
  }

  /** An item is whole. */
  private done(event: JsonRecord): PartBatch {
    const item = record(event['item']) ?? {};
    if (kindOf(item) === 'other') return NOTHING;
    const { open, isNew } = this.items.finished(event, item);
    return this.whole(open, isNew, item);
  }

  private whole(open: OpenItem, isNew: boolean, item: JsonRecord): readonly StreamPart[] {
    switch (open.kind) {
      case 'text':
        return this.textDone(open, item);
      case 'thinking':
        return thinkingDone(open, item);
      case 'call':
        return [...(isNew ? [this.callBegin(open, item)] : NOTHING), ...callDone(open, item)];
      case 'other':
        return NOTHING;
    }
  }

  private callBegin(open: OpenItem, item: JsonRecord): StreamPart {
    return { type: 'tool_call_begin', index: open.block, id: this.items.callId(open), name: text(item['name']) };
  }

  private textDone(open: OpenItem, item: JsonRecord): readonly StreamPart[] {
    open.phase = text(item['phase']) || open.phase;
    if (list(item['content']).some((part) => record(part)?.['type'] === 'refusal')) this.refused = true;
    return more(open, 'text', open.hearAll(partsOf('text', item)));
  }

  private finished(response: JsonRecord, complete: boolean): PartBatch {
    const parts = this.output(response['output']);
    this.end = this.stop(complete, text(record(response['incomplete_details'])?.['reason']) || 'incomplete');
    const usage = record(response['usage']);
    return usage === undefined ? parts : [...parts, { type: 'usage', usage: usageOf(usage) }];
  }

  /** What the whole response has that nothing said before. */
  private output(output: unknown): readonly StreamPart[] {
    const claimed = new Set<OpenItem>();
    return list(output).flatMap((value, place) => {
      const item = record(value) ?? {};
      if (kindOf(item) === 'other') return NOTHING;
      const { open, isNew } = this.items.listed(item, place, claimed);
      claimed.add(open);
      return open.ended ? NOTHING : this.whole(open, isNew, item);
    });
  }

  private stop(complete: boolean, reason: string): { readonly stopReason: StopReason; readonly rawStopReason: string } {
    if (!complete) return { stopReason: STOP_REASONS[reason] ?? 'unknown', rawStopReason: reason };
    if (this.refused) return { stopReason: 'unknown', rawStopReason: 'refusal' };
    return { stopReason: this.items.inOrder().some(({ kind }) => kind === 'call') ? 'tool_use' : 'end_turn', rawStopReason: 'completed' };
  }

  /**
   * The reasoning that can go back: the API refuses a reasoning item without the one that followed it, and nothing is sent
   * of blank texts, of items of other kinds, and of what came no more.
   */
  private signatures(): readonly StreamPart[] {
    const items = this.items.inOrder();
    return items.flatMap(({ note, block }, place): readonly StreamPart[] => {
      const follower = items.slice(place).find(({ kind }) => kind !== 'thinking');
      const sent = follower !== undefined && (follower.kind === 'call' || (follower.kind === 'text' && follower.visible));
      return note === undefined || !sent ? [] : [{ type: 'signature', index: block, signature: noteBytes(note) }];
    });
  }

  /** `phase` distinguishes commentary from the final answer; models from gpt-5.3-codex on want it back with each text. */
  private phases(): readonly StreamPart[] {
    const phases = this.items
      .inOrder()
      .filter(({ kind, visible }) => kind === 'text' && visible)
      .map(({ phase }) => phase);
    if (phases.every((phase) => phase === '')) return NOTHING;
    return [{ type: 'redacted_thinking', index: this.items.blocks.take(), data: noteBytes({ kind: 'phases', phases }) }];
  }
}

function more({ block }: OpenItem, type: 'text' | 'thinking', delta: string): readonly StreamPart[] {
  return delta === '' ? NOTHING : [{ type, index: block, delta }];
}

function argumentsOf({ block }: OpenItem, delta: string): readonly StreamPart[] {
  return delta === '' ? NOTHING : [{ type: 'tool_call_delta', index: block, delta }];
}

function thinkingDone(open: OpenItem, item: JsonRecord): readonly StreamPart[] {
  const encrypted = text(item['encrypted_content']);
  const id = text(item['id']);
  // Without its content it is nothing that a server could read which has stored nothing.
  if (encrypted !== '' && id !== '') open.note ??= { kind: 'reasoning', id, summary: list(item['summary']), encrypted };
  return more(open, 'thinking', open.hearAll(partsOf('thinking', item)));
}

/** Without arguments it stays open: the whole response may still have them. */
function callDone(open: OpenItem, item: JsonRecord): readonly StreamPart[] {
  const args = item['arguments'];
  const delta = typeof args === 'string' ? argumentsOf(open, open.argue(args)) : NOTHING;
  if (item['status'] === 'incomplete' || text(args) === '') return delta;
  open.ended = true;
  return [...delta, { type: 'block_end', index: open.block }];
}

/** The token counts of an answer; those of the output include the reasoning. */
export function usageOf(usage: JsonRecord): Usage {
  const details = record(usage['input_tokens_details']);
  const cached = count(details?.['cached_tokens']) ?? 0;
  const written = count(details?.['cache_write_tokens']) ?? 0;
  const inputTokens = Math.max(0, (count(usage['input_tokens']) ?? 0) - cached - written);
  return { inputTokens, outputTokens: count(usage['output_tokens']) ?? 0, cacheReadTokens: cached, cacheWriteTokens: written };
}
