import type { Clock } from '../domain/clock.js';
import type { Log } from '../domain/log.js';
import type { AssistantMessage, Message } from '../domain/model/message.js';
import { unansweredToolCalls } from '../domain/model/message-helpers.js';
import type { HeldBack, HookRecord, OpenSession, PermissionDenial, SessionMeta, SessionRecorder, TurnCost } from '../domain/session/session-store.js';
import type { ToolResult } from '../domain/tool/tool.js';
import type { Turn } from './events.js';
import { withoutHeldBack } from './held-back.js';
import { resultMessage } from './tool-call/results.js';

/** Hooks of a session that are kept: the sidecar is written as a whole with each turn. */
const MAX_HOOK_RUNS = 1_000;

/** Fields of a session's sidecar to change; `undefined` removes one. */
export type MetaPatch = { readonly [K in keyof SessionMeta]?: SessionMeta[K] | undefined };

/** Dependencies of {@link Transcript}. */
export interface TranscriptDeps {
  readonly open: OpenSession;
  readonly clock: Clock;
  readonly log: Log;
  /** Told when saving begins to fail, once until it works again. */
  readonly storageFailed: (error: unknown) => void;
}

/**
 * The messages of a session, in memory and in its recorder. A failing recorder never stops the conversation: it is
 * reported, and the recorder continues trying with each write.
 */
export class Transcript {
  /** Calls that were denied so far. */
  readonly denials: PermissionDenial[];
  private held: readonly HeldBack[];
  private hookRuns: readonly HookRecord[];
  private readonly list: Message[];
  private readonly models: Map<number, string>;
  private readonly turns: Record<string, TurnCost>;
  private readonly recorder: SessionRecorder;
  private readonly deps: TranscriptDeps;
  private failing = false;

  constructor(deps: TranscriptDeps) {
    const { session, meta, recorder } = deps.open;
    this.deps = deps;
    this.recorder = recorder;
    this.list = [...session.messages];
    this.models = new Map(Object.entries(meta.models ?? {}).map(([index, model]) => [Number(index), model]));
    this.turns = { ...meta.turns };
    this.denials = [...(meta.denials ?? [])];
    this.hookRuns = meta.hookRuns ?? [];
    this.held = (meta.heldBack ?? []).map(({ from, to }) => ({ from, to: Math.min(to, this.list.length) })).filter(({ from, to }) => from < to);
  }

  /** Everything said so far. */
  get messages(): readonly Message[] {
    return this.list;
  }

  /** The same messages, those without content that are not sent. */
  get sent(): readonly Message[] {
    return withoutHeldBack(this.list, this.held);
  }

  /** What is not sent any more. */
  get heldBack(): readonly HeldBack[] {
    return this.held;
  }

  /** Sends messages no more; those of ranges within it count as one with it. */
  holdBack(range: HeldBack): void {
    this.hold([...this.held.filter(({ from }) => from < range.from), range]);
  }

  /** Sends the messages again of the range that has a message. */
  putBack(index: number): void {
    this.hold(this.held.filter(({ from, to }) => index < from || index >= to));
  }

  private hold(held: readonly HeldBack[]): void {
    this.held = held;
    void this.updateMeta({ heldBack: held.length === 0 ? undefined : held });
  }

  /** The model (`provider/model`) that made the message at an index. */
  modelOf(index: number): string | undefined {
    return this.models.get(index);
  }

  /**
   * Adds a message at once and resolves when it is recorded, or could not be.
   * @param model `provider/model` that made an assistant message.
   * @returns its index.
   */
  async append(message: Message, model?: string): Promise<number> {
    const index = this.list.push(message) - 1;
    if (model !== undefined) this.models.set(index, model);
    await this.write(this.recorder.append(message));
    return index;
  }

  /** Answers every call at the end of the conversation that has no result yet. */
  async answerOpenCalls(result: ToolResult): Promise<void> {
    const open = unansweredToolCalls(this.list);
    await Promise.all(open.map((call) => this.append(resultMessage(call, result, this.deps.clock.timestamp()))));
  }

  /** Records the answer being streamed. */
  partial(message: AssistantMessage): Promise<void> {
    return this.write(this.recorder.partial(message));
  }

  /** Changes the sidecar, which exists from the first message on. */
  async updateMeta(patch: MetaPatch): Promise<void> {
    if (this.list.length > 0) await this.write(this.recorder.updateMeta(patch));
  }

  /** Notes a denial and puts it into the sidecar. */
  deny({ toolName, toolCallId, reason }: PermissionDenial): void {
    this.denials.push({ toolName, toolCallId, reason });
    void this.updateMeta({ denials: [...this.denials] });
  }

  /** Notes hooks that ran for a call; they are saved with the turn. */
  noteHooks(records: readonly HookRecord[]): void {
    this.hookRuns = [...this.hookRuns, ...records].slice(-MAX_HOOK_RUNS);
  }

  /** Saves a turn: what it took, its hooks, models of the messages, the fields given, and the journal folded into the session's file. */
  async fold({ durationMs, costUsd, cacheBreak }: Turn, patch: MetaPatch): Promise<void> {
    const last = this.list.findLastIndex(({ role }) => role !== 'tool_result');
    if (this.list[last]?.role === 'assistant') this.turns[last] = { durationMs: Math.round(durationMs), ...(costUsd === undefined ? {} : { costUsd }), ...(cacheBreak === undefined ? {} : { cacheBreak }) };
    const models = Object.fromEntries([...this.models].map(([index, model]) => [String(index), model]));
    await Promise.all([
      this.updateMeta({ ...patch, models, turns: { ...this.turns }, ...(this.hookRuns.length === 0 ? {} : { hookRuns: this.hookRuns }) }),
      this.write(this.recorder.fold()),
    ]);
  }

  /**
   * Saves and releases the session.
   * @throws what the recorder throws, since nothing retries.
   */
  close(): Promise<void> {
    return this.recorder.close();
  }

  private async write(work: Promise<void>): Promise<void> {
    try {
      await work;
      this.failing = false;
    } catch (error) {
      this.deps.log.error('The session could not be saved', error);
      if (!this.failing) this.deps.storageFailed(error);
      this.failing = true;
    }
  }
}
