import { t } from '../../domain/l10n.js';
import { malformedAnswer } from '../../domain/model/accumulator.js';
import type { StopReason } from '../../domain/model/message.js';
import type { StreamPart } from '../../domain/model/event-stream.js';
import { BlockNumbers, CallReader } from './call-reader.js';
import type { Dialect } from './dialect.js';
import { count, type JsonRecord, list, record, text } from './json.js';
import { noteBytes } from './replay.js';
import type { Request } from '../../domain/model/provider.js';
import { TaggedText } from './tagged-text.js';
import type { Usage } from '../../domain/model/usage.js';

/** Maps the servers' stop reasons to Gnomon's; every other one is `unknown`. */
const STOP_REASONS: Readonly<Record<string, StopReason>> = {
  stop: 'end_turn',
  end_turn: 'end_turn',
  eos: 'end_turn',
  stop_sequence: 'end_turn',
  tool_calls: 'tool_use',
  tool_use: 'tool_use',
  function_call: 'tool_use',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
};

/** Stop reasons that indicate a failure: OpenRouter's and Mistral's, and DeepSeek's. */
const FAILURES: ReadonlySet<string> = new Set(['error', 'insufficient_system_resource']);

/** Stands for the reason of a server that never gives one. */
const SILENT = 'stop';

const NOTHING: readonly StreamPart[] = [];

/** How one server ends the answers of one model. */
interface Habit {
  /** Whether it has ever said why an answer stopped. */
  says: boolean;
  /** Answers that ended without a break, and without that. */
  silent: number;
}

/** Most models that are remembered. */
const MOST_HABITS = 200;

const HABITS = new Map<string, Habit>();

/**
 * Tells an answer that was cut off from one of a server that never says why its answers stop. Without that word the first
 * counts as cut off and is asked for again; where it has never come, the next one is taken as whole.
 */
export class EndHabit {
  private readonly habit: Habit;

  /** @param place the address of the server and the model */
  constructor(place: readonly string[]) {
    const key = JSON.stringify(place);
    this.habit = HABITS.get(key) ?? { says: false, silent: 0 };
    HABITS.set(key, this.habit);
    const [oldest] = HABITS.keys();
    if (HABITS.size > MOST_HABITS && oldest !== undefined) HABITS.delete(oldest);
  }

  /** Takes that an answer ended. @returns whether it counts as whole */
  ended(saidWhy: boolean): boolean {
    if (saidWhy) this.habit.says = true;
    else this.habit.silent += 1;
    return saidWhy || (!this.habit.says && this.habit.silent > 1);
  }
}

/**
 * Translates the chunks of one answer. What it does not know it passes over: every server adds fields of its own.
 * Format: developers.openai.com, "Chat completion chunk".
 */
export class ChunkReader {
  private readonly usage = new UsageCounter();
  private readonly details = new DetailReader();
  private readonly blocks = new BlockNumbers();
  private readonly calls: CallReader;
  /** The block that text or thinking goes into while nothing else comes. */
  private open: { readonly type: 'text' | 'thinking'; readonly index: number } | undefined;
  private firstThought: number | undefined;
  private finishReason: string | undefined;
  private readonly habit: EndHabit | undefined;
  /** Where thinking and calls may come as text. */
  private readonly tagged: TaggedText | undefined;

  /**
   * @param request that of a server which may pass calls on as text; absent for others
   * @param habit how the server ends its answers; absent where each must say why it stopped
   * @param tools names of those that can be called
   */
  constructor(
    private readonly dialect: Dialect,
    request?: Request,
    habit?: EndHabit,
    tools: readonly string[] = [],
  ) {
    this.habit = habit;
    this.calls = new CallReader(this.blocks, tools);
    this.tagged = dialect.replay === 'none' ? new TaggedText(request) : undefined;
  }

  /** Whether the model has said that it is done. Usage may still follow. */
  get stopped(): boolean {
    return this.finishReason !== undefined;
  }

  /** The stop reason, if it indicates a failure of the server. */
  get failure(): string | undefined {
    return this.finishReason !== undefined && FAILURES.has(this.finishReason) ? this.finishReason : undefined;
  }

  /**
   * The parts of a chunk, in order.
   * @throws ProviderError of kind `protocol` for what is no object.
   */
  read(value: unknown): readonly StreamPart[] {
    const chunk = record(value);
    if (chunk === undefined) throw malformedAnswer(t('it contains an unexpected part'));
    const usage = this.usage.add(chunk['usage']);
    const parts = this.choice(
      list(chunk['choices'])
        .map(record)
        .find((choice) => (choice?.['index'] ?? 0) === 0),
    );
    return usage === undefined ? parts : [...parts, { type: 'usage', usage }];
  }

  /**
   * What is known only at the end: that calls are whole, what goes back with the next request, and why the model
   * stopped. Only the rest of the text when the model did not say why: the answer counts as cut off then.
   */
  finish(): readonly StreamPart[] {
    const rest = this.endText();
    const isWhole = this.habit?.ended(this.finishReason !== undefined) ?? false;
    if (isWhole && (this.calls.any || this.open?.type === 'text')) this.finishReason ??= SILENT;
    if (this.finishReason === undefined) return rest;
    const stopReason = this.stopReason(this.finishReason.toLowerCase());
    const cut = stopReason !== 'tool_use' && stopReason !== 'end_turn';
    return [...rest, ...this.calls.ends(cut), ...this.notes(), { type: 'stop', stopReason, rawStopReason: this.finishReason }];
  }

  /** Many servers say `stop` where there are calls to run, and some say `tool_calls` where there are none. */
  private stopReason(raw: string): StopReason {
    const reason = STOP_REASONS[raw] ?? 'unknown';
    if (reason !== 'tool_use' && reason !== 'end_turn') return reason;
    return this.calls.any ? 'tool_use' : 'end_turn';
  }

  private choice(choice: JsonRecord | undefined): readonly StreamPart[] {
    if (choice === undefined) return NOTHING;
    const delta = record(choice['delta']) ?? record(choice['message']);
    const parts = delta === undefined ? NOTHING : this.delta(delta);
    // Some repeat `stop` after `tool_calls`; the first word is the one that was meant, unless it was empty.
    if (this.finishReason === undefined && text(choice['finish_reason']) !== '') this.finishReason = text(choice['finish_reason']);
    return parts;
  }

  private delta(delta: JsonRecord): readonly StreamPart[] {
    const detailed = this.details.add(delta['reasoning_details']);
    // Servers that know both names of the field send the same text twice.
    const thought = text(delta['reasoning_content']) || text(delta['reasoning']) || detailed;
    if (thought !== '') this.tagged?.thoughtElsewhere();
    const said = [...this.say('thinking', thought), ...this.content(delta['content']), ...this.say('text', text(delta['refusal']))];
    const calls = this.calls.read(delta['tool_calls'], delta['function_call']);
    if (calls.length > 0) this.open = undefined;
    return [...said, ...calls];
  }

  /** Content is text, or a list of parts, of which Mistral's `thinking` contains a list again. */
  private content(content: unknown): readonly StreamPart[] {
    if (typeof content === 'string') return this.untagged(content);
    return list(content).flatMap((value) => {
      const part = record(value);
      switch (part?.['type']) {
        case 'text':
          return this.untagged(text(part['text']));
        case 'thinking':
          return this.say(
            'thinking',
            text(part['thinking']) ||
              list(part['thinking'])
                .map((piece) => text(record(piece)?.['text']))
                .join(''),
          );
        default:
          return NOTHING;
      }
    });
  }

  private untagged(delta: string): readonly StreamPart[] {
    if (this.tagged === undefined) return this.say('text', delta);
    return this.tagged.take(delta).flatMap((piece) => this.say(piece.type, piece.delta));
  }

  /** What was held back of the text. A server that knows calls itself passes on as text only what is text. */
  private endText(): readonly StreamPart[] {
    const reason = STOP_REASONS[this.finishReason?.toLowerCase() ?? ''];
    const whole = (reason === 'end_turn' || reason === 'tool_use') && !this.calls.any;
    const { pieces = [], calls = [] } = this.tagged?.end(whole) ?? {};
    const written = calls.map((call, index) => ({ index, function: call }));
    return [...pieces.flatMap(({ type, delta }) => this.say(type, delta)), ...this.calls.read(written, undefined)];
  }

  private say(type: 'text' | 'thinking', delta: string): readonly StreamPart[] {
    if (delta === '') return NOTHING;
    if (this.open?.type === type) return [{ type, index: this.open.index, delta }];
    const index = this.blocks.take();
    this.open = { type, index };
    if (type === 'text') return [{ type, index, delta }];
    this.firstThought ??= index;
    const part: StreamPart = { type, index, delta };
    if (this.dialect.replay !== 'reasoning_content') return [part];
    return [part, { type: 'signature', index, signature: noteBytes({ kind: 'field' }) }];
  }

  private notes(): readonly StreamPart[] {
    const { replay } = this.dialect;
    const extras = replay === 'extra_content' ? this.calls.extras() : undefined;
    if (extras !== undefined) return [{ type: 'redacted_thinking', index: this.blocks.take(), data: noteBytes({ kind: 'calls', extras }) }];
    if (replay !== 'reasoning_details') return NOTHING;
    const details = this.details.all();
    const data = noteBytes(details.length === 0 ? { kind: 'field' } : { kind: 'details', details });
    if (this.firstThought !== undefined) return [{ type: 'signature', index: this.firstThought, signature: data }];
    return details.length === 0 ? NOTHING : [{ type: 'redacted_thinking', index: this.blocks.take(), data }];
  }
}

type Detail = Record<string, unknown>;

/** The fields of a block that grow from chunk to chunk. */
const GROWING = ['text', 'summary'] as const;

/**
 * Puts the list `reasoning_details` together: it comes in pieces, and pieces of one block follow each other. Encrypted
 * blocks come whole. Source: openrouter.ai/docs, "Reasoning tokens".
 */
class DetailReader {
  private readonly details: Detail[] = [];

  /** Takes the pieces of a chunk. @returns the readable text in them. */
  add(value: unknown): string {
    return list(value)
      .map((piece) => {
        const detail = record(piece);
        if (detail === undefined) return '';
        this.take(detail);
        return GROWING.map((field) => text(detail[field])).join('');
      })
      .join('');
  }

  /** The blocks so far. */
  all(): readonly unknown[] {
    return this.details;
  }

  private take(piece: Readonly<Detail>): void {
    const last = this.details.at(-1);
    const field = GROWING.find((name) => typeof piece[name] === 'string');
    const same = last !== undefined && field !== undefined && last['type'] === piece['type'] && last['index'] === piece['index'];
    if (!same) {
      this.details.push({ ...piece });
      return;
    }
    const grown = text(last[field]) + text(piece[field]);
    for (const [key, value] of Object.entries(piece)) if (value !== null && value !== undefined) last[key] = value;
    last[field] = grown;
  }
}

/** Totals as they come over the wire. */
interface WireTotals {
  prompt: number;
  output: number;
  cached: number;
  written: number;
}

/**
 * Token counts of one answer. They come in the last chunk, in one of their own after it, in every chunk, or never, and
 * each time they are totals; so the largest of each counts.
 */
class UsageCounter {
  private readonly totals: WireTotals = { prompt: 0, output: 0, cached: 0, written: 0 };

  /** Takes the `usage` of a chunk. @returns the totals so far when they changed. */
  add(value: unknown): Usage | undefined {
    const usage = record(value);
    if (usage === undefined) return undefined;
    const details = record(usage['prompt_tokens_details']);
    const prompt = count(usage['prompt_tokens']);
    // Gemini leaves the tokens of its thoughts out of the one number and counts them in the total.
    const beyondPrompt = prompt === undefined ? 0 : (count(usage['total_tokens']) ?? 0) - prompt;
    const grown = [
      this.raise('prompt', prompt ?? 0),
      this.raise('output', Math.max(count(usage['completion_tokens']) ?? 0, beyondPrompt)),
      this.raise('cached', count(details?.['cached_tokens']) ?? count(usage['prompt_cache_hit_tokens']) ?? 0),
      this.raise('written', count(details?.['cache_write_tokens']) ?? 0),
    ];
    return grown.includes(true) ? this.usage() : undefined;
  }

  private usage(): Usage {
    const { prompt, output, cached, written } = this.totals;
    return { inputTokens: Math.max(0, prompt - cached - written), outputTokens: output, cacheReadTokens: cached, cacheWriteTokens: written };
  }

  private raise(key: keyof WireTotals, value: number): boolean {
    if (value <= this.totals[key]) return false;
    this.totals[key] = value;
    return true;
  }
}
