import type { Clock } from '../../domain/clock.js';
import type { ImageBlock } from '../../domain/model/content.js';
import type { CacheBreak, ColdCache, Compaction, ContextUse } from '../../domain/session/context.js';
import { AbortError, NothingToCompactError } from '../../domain/errors.js';
import { present } from '../../domain/present.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { AssistantMessage, Timestamp } from '../../domain/model/message.js';
import { type ModelInfo, priceOf, type Provider, type Request } from '../../domain/model/provider.js';
import { totalInputTokens, type Usage } from '../../domain/model/usage.js';
import type { ToolSpec } from '../../domain/tool/tool.js';
import type { EmittedEvent } from '../events.js';
import type { SessionLife } from '../hooks/session-life.js';
import type { Transcript } from '../transcript.js';
import { modelKey } from '../../domain/model/model-key.js';
import type { WireTarget } from '../wire.js';
import { imagesLeftOut, imageTotal, withoutRefused } from '../wire-images.js';
import { askForSummary, byChosen, type CompactionOrder, type SummaryModel } from './ask-for-summary.js';
import { isHeld, type Refused } from '../held-back.js';
import { ContextMeter } from './context-meter.js';
import { CutWatch, wasCut } from './cut-watch.js';
import { FoundWindows } from './found-windows.js';
import { SummaryGains } from './summary-gains.js';
import { cacheBreak, type CachedRequest, coldCache, storedRequest } from './prompt-cache.js';
import { cutPoint, isExpected, mayBeLength, summarize } from './summarize.js';
import { messagesTokens } from './message-tokens.js';

/** Maximum size of the last rounds, which are not summarized: tokens, and shares of the limit and of the conversation. */
const KEEP_TOKENS = 20_000;
const KEEP_SHARE = 0.15;
const KEEP_PART = 0.25;
/** Size beyond which even the last round is summarized, as a share of the limit, or of a conversation that the model refused. */
const KEEP_AT_MOST = 0.5;
/** Minimum saving of an automatic summary, as a share of the limit; bounds how often one is made. */
const LEAST_GAIN = 0.1;
/** Growth of a conversation before a failed summary is tried again, as a share of the limit. */
const TRY_AGAIN = 0.05;
/** A share of the window, in percent, below which it is the share that is too small, and not the window. */
const LOW_PERCENT = 50;
/** Tokens of a request for a summary where the size of the window is not known. */
const UNKNOWN_LIMIT = 50_000;

/** Content of the context window that is measured, the limits for automatic compaction, and the hooks around it. */
export interface ContextDeps {
  readonly systemPrompt: string;
  readonly tools: readonly ToolSpec[];
  readonly transcript: Transcript;
  /** Runs the hooks before and after summaries. */
  readonly life: Pick<SessionLife, 'beforeSummary' | 'afterSummary'>;
  readonly compactions: readonly Compaction[];
  /** Percent of the limit from which on a summary is made without being asked for; 0 for never. */
  readonly autoPercent: number;
  /** Tokens from which on a summary is made without being asked for, however large the window is; 0 for no such number. */
  readonly autoTokens: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly summaryModel: SummaryModel;
  /** What is under way, for the model to know behind a summary, too. */
  readonly underWay: () => string | undefined;
  /** Called when other messages than before are at the beginning of the wire. */
  readonly changed: () => void;
}

/** A request that was answered, and how. */
export interface Exchange {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly request: Request;
  /** Absent when nothing of the answer was kept. */
  readonly message: AssistantMessage | undefined;
  readonly usage: Usage;
  readonly sentAt: Timestamp;
}

/** A number that leaves no room to work: that of a setting, or the size of a window in tokens; 0 where that is not known. */
export type TightNumber =
  | { readonly setting: 'gnomon.autoCompactMaxTokens' | 'gnomon.autoCompactThreshold'; readonly value: number }
  | { readonly window: number };

/** Outcome of a compaction; `error` is the reason of a failure. */
export type CompactionOutcome = { readonly type: 'done' } | { readonly type: 'nothing_to_do' } | { readonly type: 'failed'; readonly error: unknown };

/** Keeps a session's requests within its model's context window: measures them and replaces their beginning by a summary. */
export class ContextWindow {
  private readonly meter: ContextMeter;
  private readonly windows = new FoundWindows();
  private readonly gains = new SummaryGains();
  private readonly watch = new CutWatch();
  private list: readonly Compaction[];
  /** Tokens below which no summary is made without being asked for. */
  private quietBelow = 0;
  /** Number of the oldest unsummarized images that are left out, as they were too much for a model. */
  private leftOut = 0;
  /** Images that a model did not take. */
  private refused: ReadonlySet<ImageBlock> = new Set();
  /** The request before, which the provider may have in its cache. */
  cached: CachedRequest | undefined;
  /** The last one of each model. */
  private readonly cachedBy = new Map<string, CachedRequest>();

  constructor(private readonly deps: ContextDeps) {
    this.list = deps.compactions;
    this.cached = storedRequest(deps.transcript, deps.compactions);
    if (this.cached !== undefined) this.cachedBy.set(this.cached.model, this.cached);
    const sent = {
      get messages() {
        return deps.transcript.sent;
      },
      modelOf: (index: number) => deps.transcript.modelOf(index),
    };
    this.meter = new ContextMeter({ systemPrompt: deps.systemPrompt, tools: deps.tools, transcript: sent }, this.overlay);
  }

  /** Every summary, oldest first. */
  get compactions(): readonly Compaction[] {
    return this.list;
  }

  /** The summary on the wire: none where all that it stands for is held back. */
  get overlay(): Compaction | undefined {
    const last = this.list.at(-1);
    return last !== undefined && this.deps.transcript.leavesOutBefore(last.upTo) ? undefined : last;
  }

  /** Options for converting the conversation to a request to a model. */
  target(model: ModelInfo): WireTarget {
    return {
      model,
      modelOf: (index) => this.deps.transcript.modelOf(index),
      compaction: this.overlay,
      imagesLeftOut: this.leftOut,
      refusedImages: this.refused,
    };
  }

  /**
   * Sends fewer images: without those that are named, else without half of those that were sent, the oldest.
   * @returns whether there was one to leave out
   */
  leaveOutImages(named: readonly ImageBlock[]): boolean {
    if (named.some((image) => !this.refused.has(image))) {
      this.refused = new Set([...this.refused, ...named]);
      this.deps.changed();
      return true;
    }
    const messages = withoutRefused(this.deps.transcript.sent.slice(this.from), this.refused);
    const [total, out] = [imageTotal(messages), imagesLeftOut(messages, this.leftOut)];
    if (out >= total) return false;
    this.leftOut = out + Math.ceil((total - out) / 2);
    this.deps.changed();
    return true;
  }

  /** Usage of a model's context window; `undefined` when its size is not known. */
  use(model: ModelInfo): ContextUse | undefined {
    return this.meter.use(this.windows.applied(model), this.overlay);
  }

  /** As {@link use}, with what it is filled with. */
  detailed(model: ModelInfo): ContextUse | undefined {
    return this.meter.detailed(this.windows.applied(model), this.overlay);
  }

  /** Asks the server how large the window of a model is, where it decides on that; the model is loaded then. Never rejects. */
  async readServed({ provider, model }: Pick<Exchange, 'provider' | 'model'>, signal: AbortSignal): Promise<void> {
    const served = await provider.servedWindow?.read(model.id, signal);
    if (served !== undefined && served > 0) this.windows.served(model, served);
  }

  /** Takes note of a request, and notices that the server read only a part of it without saying so; what it read is the size of its window then. */
  checkCut({ provider, model, request, message, usage }: Exchange, emit: (event: EmittedEvent) => void): void {
    this.meter.sent(request);
    this.gains.answered();
    const stands = this.watch.take(modelKey(model), request, usage);
    if (!wasCut(request, usage) && !stands) return;
    if (message !== undefined) this.meter.distrust(message);
    const tokens = totalInputTokens(usage);
    const isNews = this.windows.cut(model, tokens);
    if (isNews) emit({ type: 'context_cut', model: model.label, tokens, advice: provider.servedWindow?.advice });
  }

  /** Takes a request that was answered. Returns what of the provider's cache it could have read and did not. */
  checkCache({ provider, model, request, usage, sentAt }: Exchange): CacheBreak | undefined {
    if (totalInputTokens(usage) === 0) return undefined;
    const before = this.cached;
    const asked = {
      systemPrompt: request.systemPrompt,
      tools: JSON.stringify(request.tools.filter(({ deferral }) => deferral !== 'deferred')),
      images: imageTotal(request.messages),
      effort: request.effort ?? 'off',
    };
    this.cached = { model: modelKey(model), sentAt: Date.parse(sentAt), usage, cache: provider.promptCache?.(model.id), summary: this.overlay, asked };
    this.cachedBy.set(this.cached.model, this.cached);
    const isFree = priceOf(model)?.input === 0;
    return before === undefined || isFree ? undefined : cacheBreak(before, this.cached);
  }

  /**
   * Extra cost of the next request because the conversation is no longer in the provider's cache; `undefined` where it has, or where that is not
   * known.
   */
  cold({ provider, model }: Pick<Exchange, 'provider' | 'model'>): ColdCache | undefined {
    const now = Date.parse(this.deps.clock.timestamp());
    const next = {
      model: modelKey(model),
      cache: provider.promptCache?.(model.id),
      summary: this.overlay,
      tokens: this.size(model).used,
      now,
      pricing: priceOf(model),
    };
    return this.cached && coldCache(this.cached, next, this.cachedBy.get(next.model));
  }

  /** Tokens of the next request to a model, as far as they can be counted before it is sent. */
  nextTokens(model: ModelInfo): number {
    return this.size(model).used;
  }

  /** Tells how full the window of a model is. */
  report(model: ModelInfo, emit: (event: EmittedEvent) => void): void {
    const context = this.detailed(model);
    if (context !== undefined) emit({ type: 'context', context });
  }

  /** Whether a summary should be made before the next request. */
  isFull(model: ModelInfo): boolean {
    const { used, limit } = this.size(model);
    const { autoPercent, autoTokens } = this.deps;
    const full = Math.min(autoPercent > 0 ? (limit * autoPercent) / 100 : Infinity, autoTokens > 0 ? autoTokens : Infinity);
    return used >= Math.max(full, this.quietBelow);
  }

  /** The number that is too small where summaries buy no more than a round each; `undefined` where they do. Told once. */
  tooTight(model: ModelInfo): TightNumber | undefined {
    if (!this.gains.areVain) return undefined;
    this.gains.forget();
    const { autoPercent, autoTokens } = this.deps;
    const { contextWindow: window } = this.windows.applied(model);
    const { limit } = this.size(model);
    if (autoTokens > 0 && autoTokens < (autoPercent > 0 ? (limit * autoPercent) / 100 : limit))
      return { setting: 'gnomon.autoCompactMaxTokens', value: autoTokens };
    return autoPercent > 0 && autoPercent < LOW_PERCENT ? { setting: 'gnomon.autoCompactThreshold', value: autoPercent } : { window };
  }

  /** Whether the next request fits a model, as far as that is known. */
  fits(model: ModelInfo): boolean {
    const { used, limit } = this.size(model);
    return used <= limit;
  }

  /** Whether a model that refuses a request without saying why may find it too long. */
  mayBeTooLong(model: ModelInfo): boolean {
    const { used, limit } = this.size(model);
    const applied = this.windows.applied(model);
    const isAssumed = applied.contextWindow === 0 || applied.windowAssumed === true;
    return this.gains.mayHelp(modelKey(model), used, isAssumed ? { head: this.meter.headTokens(model) } : { limit });
  }

  /** Takes back a summary that was made because of such a refusal and has not helped. */
  takeBack(model: ModelInfo, emit: (event: EmittedEvent) => void): void {
    this.undo(model, emit);
    this.quietBelow = 0;
  }

  /** Takes that a conversation was refused for something else than its length: no other such summary until it has grown. */
  noteInVain(model: ModelInfo): void {
    this.gains.noteInVain(modelKey(model), this.size(model).used);
  }

  /** Sizes to report when even prompt and tools do not fit into the window of a model; `undefined` where they do, or its size is not known. */
  tooSmall(model: ModelInfo): { readonly window: number; readonly head: number } | undefined {
    const { contextWindow: window } = this.windows.applied(model);
    const head = this.meter.headTokens(model);
    return window > 0 && head >= window ? { window, head } : undefined;
  }

  /** Whether there is something to summarize. */
  canCompact(order: Pick<CompactionOrder, 'model' | 'trigger'>): boolean {
    return this.cut(order) !== undefined;
  }

  /** Makes a summary of everything but the last rounds. Never rejects; nothing has changed when it fails. */
  async compact(wanted: CompactionOrder): Promise<CompactionOutcome> {
    const order = { ...wanted, model: this.windows.applied(wanted.model) };
    const upTo = this.cut(order);
    if (upTo === undefined) return { type: 'nothing_to_do' };
    order.emit({ type: 'compaction_started', trigger: order.trigger });
    try {
      await this.deps.life.beforeSummary(order.trigger, order.instructions, order.signal);
      await this.replace(upTo, await this.summary(upTo, order), order);
      await this.deps.life.afterSummary(order.trigger, order.signal);
      return { type: 'done' };
    } catch (thrown) {
      const error = order.signal.aborted ? new AbortError(t('Summarizing was stopped. The chat is unchanged.')) : thrown;
      if (!order.signal.aborted && !isExpected(error)) this.deps.log.error('The conversation could not be summarized', error);
      this.quiet(order.model);
      if (order.unclear === true && mayBeLength(error, order)) this.noteInVain(order.model);
      order.emit({ type: 'compaction_failed', error });
      return { type: 'failed', error };
    }
  }

  /** Sends the messages of a turn that was refused no more. */
  holdBack(first: number, model: ModelInfo, emit: (event: EmittedEvent) => void): void {
    this.resend(model, emit, (transcript) => transcript.holdBack({ from: first, to: transcript.messages.length }));
  }

  /** Leaves out, on trial, the messages that may be why a model refuses a request. Returns false where there are none. */
  leaveOutSuspects(begun: number, model: ModelInfo, refused: Refused): boolean {
    const suspects = this.deps.transcript.suspects(begun, this.from, refused);
    if (suspects.length > 0) this.meter.changing(model, this.overlay);
    this.deps.transcript.tryWithout(suspects);
    return suspects.length > 0;
  }

  /** Ends such a trial. @param helped whether an answer came without them: then they are held back */
  endTrial(helped: boolean, model: ModelInfo, emit: (event: EmittedEvent) => void): void {
    if (this.deps.transcript.endTrial(helped)) this.resent(model, emit);
  }

  /** Sends such messages again. Returns false where none of them is held back. */
  putBack(index: number, model: ModelInfo, emit: (event: EmittedEvent) => void): boolean {
    if (!isHeld(index, this.deps.transcript.heldBack)) return false;
    this.resend(model, emit, (transcript) => transcript.putBack(index));
    return true;
  }

  /** Removes the last summary. Returns false when there is none. */
  undo(model: ModelInfo, emit: (event: EmittedEvent) => void): boolean {
    const compaction = this.list.at(-1);
    if (compaction === undefined) return false;
    this.change(this.list.slice(0, -1), model);
    this.gains.forget();
    // Else the next message would bring it back.
    this.quietBelow = this.size(model).limit;
    void this.deps.transcript.updateMeta({ compactions: this.list });
    emit({ type: 'compaction_undone', compaction });
    this.report(model, emit);
    return true;
  }

  private async summary(upTo: number, order: CompactionOrder): Promise<string> {
    const { model, signal, unclear = false } = order;
    // What is made because a model refused something is made with that one, so that it is found out what it takes.
    const chosen = unclear ? undefined : await this.deps.summaryModel(order, this.size(model).used, signal);
    return byChosen(order, chosen, this.deps.log, (by) => this.summaryBy(upTo, by));
  }

  private async summaryBy(upTo: number, order: CompactionOrder): Promise<string> {
    const { transcript, clock, log } = this.deps;
    const { model, instructions, unclear = false, signal } = order;
    const messages = transcript.sent.slice(this.from, upTo).filter(({ content }) => content.length > 0);
    const most = this.use(model)?.limit ?? UNKNOWN_LIMIT;
    const limit = (unclear ? Math.min(most, this.size(model).used) : most) / this.meter.scaleOf(model);
    const summary = await summarize({ messages, earlier: this.overlay?.summary, instructions, limit, unclear }, askForSummary({ ...order, clock, log }));
    signal.throwIfAborted();
    return summary;
  }

  private async replace(upTo: number, summary: string, { trigger, model, emit }: CompactionOrder): Promise<void> {
    const { transcript, clock, underWay } = this.deps;
    const tokensBefore = this.meter.used(model, this.overlay);
    const now = { at: transcript.messages.length, createdAt: clock.timestamp(), ...present({ underWay: underWay() }) };
    const base = { upTo, summary, trigger, tokensBefore, ...now };
    this.change([...this.list, { ...base, tokensAfter: 0 }], model);
    const compaction: Compaction = { ...base, tokensAfter: this.meter.used(model, this.overlay) };
    // What a server found too long is shortened whatever the estimate says, which was wrong then.
    if (trigger !== 'context_length' && compaction.tokensAfter >= tokensBefore) {
      this.change(this.list.slice(0, -1), model);
      throw new NothingToCompactError(t('A summary would take as much room as the messages do. The chat is unchanged.'));
    }
    this.list = [...this.list.slice(0, -1), compaction];
    if (trigger === 'manual') this.gains.forget();
    else this.gains.made();
    await transcript.updateMeta({ compactions: this.list });
    emit({ type: 'compacted', compaction });
    this.report(model, emit);
  }

  private change(list: readonly Compaction[], model: ModelInfo): void {
    this.meter.changing(model, this.overlay);
    this.list = list;
    this.quietBelow = 0;
    this.leftOut = 0;
    this.deps.changed();
  }

  /** Changes which messages are sent. */
  private resend(model: ModelInfo, emit: (event: EmittedEvent) => void, change: (transcript: Transcript) => void): void {
    this.meter.changing(model, this.overlay);
    change(this.deps.transcript);
    this.resent(model, emit);
  }

  private resent(model: ModelInfo, emit: (event: EmittedEvent) => void): void {
    this.deps.changed();
    emit({ type: 'held_back', heldBack: this.deps.transcript.heldBack });
    this.report(model, emit);
  }

  /** No summary without being asked for until the conversation has grown, or no longer fits. */
  private quiet(model: ModelInfo): void {
    const { used, limit } = this.size(model);
    this.quietBelow = Math.min(limit, used + this.autoLimit(limit) * TRY_AGAIN);
  }

  /** Size of the conversation, and the limit; a window of unknown size has none. */
  private size(model: ModelInfo): Pick<ContextUse, 'used' | 'limit'> {
    return this.use(model) ?? { used: this.meter.used(model, this.overlay), limit: Infinity };
  }

  /** Size that an automatic summary has to get the conversation below. */
  private autoLimit(limit: number): number {
    return this.deps.autoTokens > 0 ? Math.min(limit, this.deps.autoTokens) : limit;
  }

  /** The first message that the last summary does not cover. */
  private get from(): number {
    return Math.min(this.overlay?.upTo ?? 0, this.deps.transcript.messages.length);
  }

  private cut({ model, trigger }: Pick<CompactionOrder, 'model' | 'trigger'>): number | undefined {
    const messages = this.deps.transcript.sent;
    const scale = this.meter.scaleOf(model);
    const total = messagesTokens(messages.slice(this.from));
    const window = this.size(model).limit;
    const limit = (trigger === 'auto' ? this.autoLimit(window) : window) / scale;
    const keep = Math.min(KEEP_TOKENS, limit * KEEP_SHARE, total * KEEP_PART);
    const keepAtMost = KEEP_AT_MOST * (trigger === 'context_length' ? Math.min(limit, total) : limit);
    const upTo = cutPoint(messages, { from: this.from, keep, keepAtMost });
    if (upTo === undefined || trigger !== 'auto') return upTo;
    return messagesTokens(messages.slice(this.from, upTo)) >= limit * LEAST_GAIN ? upTo : undefined;
  }
}
