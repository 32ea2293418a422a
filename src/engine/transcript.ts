import { present } from '../domain/present.js';
import type { Clock } from '../domain/clock.js';
import { InvalidDataError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import type { Log } from '../domain/log.js';
import type { ToolCallBlock, UserContent } from '../domain/model/content.js';
import { type AssistantMessage, type Message, type Timestamp, toolCalls, unansweredToolCalls, type UserMessage } from '../domain/model/message.js';
import { validateMessage } from '../domain/model/validate.js';
import type {
  HeldBack,
  HookRecord,
  OpenSession,
  PermissionDenial,
  SessionMeta,
  SessionRecorder,
  StoredRouting,
  TurnCost,
} from '../domain/session/session-store.js';
import type { ToolResult } from '../domain/tool/tool.js';
import { parseArguments } from './tool-call/arguments.js';
import type { Turn } from './events.js';
import { isAllHeld, type Refused, suspectsBefore, withoutHeldBack } from './held-back.js';
import { resultMessage } from './tool-call/results.js';
import type { StoredFigures } from './turn/spending.js';

/** Turns of which it is kept how they came to their models: the sidecar is written as a whole with each. */
const MAX_ROUTINGS = 100;
/** Hooks of a session that are kept: the sidecar is written as a whole with each turn. */
const MAX_HOOK_RUNS = 1_000;

/** Fields of a session's sidecar to change; `undefined` removes one. */
export type MetaPatch = { readonly [K in keyof SessionMeta]?: SessionMeta[K] | undefined };

/** The open session file that messages are appended to, and the handler for storage errors. */
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
  /** Calls that were denied so far, each with its input. */
  readonly denials: PermissionDenial[];
  private held: readonly HeldBack[];
  /** Messages that are left out on trial: stored only if that helps, so that nothing is lost. */
  private onTrial: readonly HeldBack[] = [];
  /** First messages of turns of which no refusal is known that says nothing. */
  private readonly cleared = new Set<number>();
  /** Messages that the user has restored since the last response. */
  private returned: readonly HeldBack[] = [];
  private hookRuns: readonly HookRecord[];
  private routings: Readonly<Record<string, StoredRouting>>;
  private readonly list: Message[];
  private readonly models: Map<number, string>;
  private readonly turns: Record<string, TurnCost>;
  private readonly recorder: SessionRecorder;
  private failing = false;

  constructor(private readonly deps: TranscriptDeps) {
    const { session, meta, recorder } = deps.open;
    this.recorder = recorder;
    this.list = [...session.messages];
    this.models = new Map(Object.entries(meta.models ?? {}).map(([index, model]) => [Number(index), model]));
    this.turns = { ...meta.turns };
    this.denials = withInput(meta.denials ?? [], session.messages);
    this.hookRuns = meta.hookRuns ?? [];
    this.routings = meta.routings ?? {};
    this.held = (meta.heldBack ?? []).map(({ from, to }) => ({ from, to: Math.min(to, this.list.length) })).filter(({ from, to }) => from < to);
  }

  /** Everything said so far. */
  get messages(): readonly Message[] {
    return this.list;
  }

  /** The same messages, those without content that are not sent. */
  get sent(): readonly Message[] {
    return withoutHeldBack(this.list, [...this.held, ...this.onTrial]);
  }

  /** Notes the first message of a turn that begins: until it is refused, what ends it has nothing to do with what it says. */
  beginTurn(first: number): void {
    this.cleared.add(first);
  }

  /** Whether all messages before an index are left out. */
  leavesOutBefore(index: number): boolean {
    return isAllHeld(index, [...this.held, ...this.onTrial]);
  }

  /** Messages that are no longer sent. */
  get heldBack(): readonly HeldBack[] {
    return this.held;
  }

  /**
   * Possible causes of a refused conversation: restored messages, and turns without an answer.
   * Notes that the turn which runs was refused, too.
   * @param begun the first message of the turn that runs
   * @param earliest the first message that is sent at all
   */
  suspects(begun: number, earliest: number, refused: Refused): readonly HeldBack[] {
    this.cleared.delete(begun);
    const unanswered = suspectsBefore(this.list, begun, refused, { earliest, heldBack: this.held, cleared: this.cleared });
    return [...this.returned.filter(({ to }) => to <= begun), ...(unanswered === undefined ? [] : [unanswered])];
  }

  /** Leaves messages out until {@link endTrial}. */
  tryWithout(suspects: readonly HeldBack[]): void {
    this.onTrial = suspects;
  }

  /** Ends the trial: what was left out is held back where that has helped. Returns whether something is. */
  endTrial(helped: boolean): boolean {
    const tried = this.onTrial;
    this.onTrial = [];
    if (helped) this.returned = [];
    if (!helped || tried.length === 0) return false;
    for (const range of tried) this.holdBack(range);
    return true;
  }

  /** Sends messages no more; those of ranges within it count as one with it. */
  holdBack(range: HeldBack): void {
    const apart = this.held.filter(({ from, to }) => to <= range.from || from >= range.to);
    const joined = this.held.filter((each) => !apart.includes(each));
    const whole = { from: Math.min(range.from, ...joined.map(({ from }) => from)), to: Math.max(range.to, ...joined.map(({ to }) => to)) };
    this.hold([...apart, whole].toSorted((a, b) => a.from - b.from));
  }

  /** Sends the messages again of the range that has a message. */
  putBack(index: number): void {
    const kept = this.held.filter(({ from, to }) => index < from || index >= to);
    this.returned = [...this.returned, ...this.held.filter((each) => !kept.includes(each))];
    this.hold(kept);
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
   * @param by what made an assistant message: `provider/model`, and the usage of the session with it
   * @returns its index.
   */
  async append(message: Message, by?: { readonly model: string; readonly spent: StoredFigures }): Promise<number> {
    const index = this.list.push(message) - 1;
    if (by !== undefined) {
      this.models.set(index, by.model);
      // Before the message: after a crash between the two, an answer that is there has been counted.
      void this.saveSpent(by.spent);
    }
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

  /** Puts what the session has used into the sidecar, and what its answers can be priced with. For once per request: all of it is written. */
  saveSpent(spent: StoredFigures): Promise<void> {
    return this.updateMeta({ ...spent, models: this.modelsByIndex });
  }

  /** Notes a denial and puts it into the sidecar. */
  deny(denial: PermissionDenial): void {
    this.denials.push(denial);
    // The input is in the message with the call.
    void this.updateMeta({ denials: this.denials.map(({ toolName, toolCallId, reason }) => ({ toolName, toolCallId, reason })) });
  }

  /** How the turn of a user's message came to its model; `undefined` where it was not chosen for it, or that is no longer known. */
  routingAt(index: number): StoredRouting | undefined {
    return this.routings[index];
  }

  /** How the last turn came to its model that was given one. */
  get lastRouting(): StoredRouting | undefined {
    return Object.values(this.routings).at(-1);
  }

  /** Stores how the turn of a user’s message came to its model; `undefined`: the user has chosen it. */
  noteRouting(index: number, routing: StoredRouting | undefined): void {
    const others = Object.entries(this.routings).filter(([key]) => key !== String(index));
    const all: Readonly<Record<string, StoredRouting>> = { ...Object.fromEntries(others), ...(routing === undefined ? {} : { [index]: routing }) };
    // The keys of an object that are indexes are in their order.
    this.routings = Object.fromEntries(Object.entries(all).slice(-MAX_ROUTINGS));
    void this.updateMeta({ routings: this.routings });
  }

  /** Notes hooks that ran for a call; they are saved with the turn. */
  noteHooks(records: readonly HookRecord[]): void {
    this.hookRuns = [...this.hookRuns, ...records].slice(-MAX_HOOK_RUNS);
  }

  /** Saves a turn: what it took, its hooks, models of the messages, the fields given, and the journal folded into the session's file. */
  async fold({ durationMs, costUsd, cacheBreak }: Turn, patch: MetaPatch): Promise<void> {
    const last = this.list.findLastIndex(({ role }) => role !== 'tool_result');
    if (this.list[last]?.role === 'assistant') this.turns[last] = { durationMs: Math.round(durationMs), ...present({ costUsd, cacheBreak }) };
    const models = this.modelsByIndex;
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

  private get modelsByIndex(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.models].map(([index, model]) => [String(index), model]));
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

/** Stored denials with the arguments of their calls; those of which the call is not there any more as they are. */
function withInput(denials: readonly PermissionDenial[], messages: readonly Message[]): PermissionDenial[] {
  if (denials.length === 0) return [];
  const calls = new Map(messages.flatMap((message) => toolCallsOf(message)).map(({ id, arguments: raw }) => [id, raw]));
  return denials.map((denial) => {
    const read = parseArguments(calls.get(denial.toolCallId) ?? '');
    return read.ok ? { ...denial, toolInput: read.value } : denial;
  });
}

function toolCallsOf(message: Message): readonly ToolCallBlock[] {
  return message.role === 'assistant' ? toolCalls(message) : [];
}

/**
 * Makes a user message.
 * @throws InvalidDataError when it is invalid or empty.
 */
export function userMessage(content: readonly UserContent[], timestamp: Timestamp): UserMessage {
  const message: UserMessage = { role: 'user', content: [...content], timestamp };
  validateMessage(message);
  if (content.every((block) => block.type === 'text' && block.text.trim() === '')) {
    throw new InvalidDataError('message.content', t('The message is empty. Write something or attach a file.'));
  }
  return message;
}
