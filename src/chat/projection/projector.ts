import { assertNever } from '../../domain/assert-never.js';
import { attachedNames, wordsOf } from '../../domain/session/attached.js';
import type { ToolCallBlock } from '../../domain/model/content.js';
import type { AssistantMessage, Message, UserMessage } from '../../domain/model/message.js';
import type { TaskKind } from '../../domain/model/task-kind.js';
import type { StreamEvent } from '../../domain/model/stream-event.js';
import type { SessionEvent, Turn } from '../../engine/events.js';
import type { ViewEvent } from '../../protocol/view-event.js';
import type { ViewBlock, ViewCompactionItem, ViewItem, ViewState } from '../../protocol/view-state.js';
import { factsOfTurn } from './session-facts.js';
import { CallProjector } from './call-projector.js';
import type { ShortPath } from './call-topic.js';
import { noticesOfHooks, attachedImageCount } from './call-view.js';
import { present } from '../../domain/present.js';
import { type Ask, idAmongAll } from '../../domain/tool/asks.js';
import { heldBackItems, userItemId } from './item-ids.js';
import { type Notice, noticeOfCut, noticeOfError, noticeOfStandIn, noticeOfTurn } from './notices.js';
import { SessionFactsProjector } from './session-facts-projector.js';
import { summaryOf, usageText } from './summary.js';

/** Facts about a conversation that its session does not report. */
export type ConversationFacts = Partial<Pick<ViewState, 'title' | 'queue' | 'changes' | 'parent' | 'elsewhere' | 'elves' | 'elfLimit'>>;

/** An answer that is shown already. */
export interface KnownAnswer {
  readonly id: string;
  /** Number of its blocks, and the number without an interrupted last round. */
  readonly blocks: number;
  readonly whole: number;
}

/** Initial state of a {@link Projector}. */
export interface KnownFacts {
  readonly compactions: readonly ViewCompactionItem[];
  /** The answer that it ends with, if any. */
  readonly answer?: KnownAnswer | undefined;
  /** Shortens displayed paths. Default: unchanged. */
  readonly short?: ShortPath;
  /** The permission mode now; `default` unless given. */
  readonly mode?: () => string;
}

/**
 * The one writer of a conversation's view: turns what a session does into changes of what panels show. One answer, with all its rounds, is one item.
 * Its only state is its position in the current answer; every fact goes out as an event.
 */
export class Projector {
  private answer = '';
  private blocks = 0;
  /** Number of blocks in completed rounds. */
  private whole = 0;
  /** Interrupted end of an earlier answer, until another attempt brings content. */
  private broken: { readonly answer: string; readonly from: number } | undefined;
  private notices = 0;
  /** The round that runs, and how many blocks there were before it. */
  private begun = { round: 0, blocks: 0 };
  /** View block by the index of the stream's block, for the current round. */
  private round = new Map<number, number>();
  private thinking: { readonly block: number; readonly since: number } | undefined;
  private model = '';
  /** The kind of task that the model of the turn was chosen for. */
  private routedAs: TaskKind | undefined;
  private readonly mode: () => string;
  private readonly calls: CallProjector;
  private readonly facts: SessionFactsProjector;

  /** @param known what a stored conversation brought with it. */
  constructor(
    private readonly emit: (event: ViewEvent) => void,
    known: KnownFacts = { compactions: [] },
  ) {
    if (known.answer !== undefined) ({ id: this.answer, blocks: this.blocks, whole: this.whole } = known.answer);
    this.mode = known.mode ?? (() => 'default');
    this.calls = new CallProjector(emit, known.short ?? ((path) => path));
    const sink = { emit, now: () => Date.now() };
    this.facts = new SessionFactsProjector(sink, known.compactions);
  }

  /** Takes the next event of the session. */
  project(event: SessionEvent): void {
    switch (event.type) {
      case 'turn_started':
        return this.startTurn(event.message, event.index);
      case 'message_added':
        return this.addMessage(event.message, event.index);
      case 'round_started':
        return this.startRound(event);
      case 'stream':
        return this.stream(event.event);
      case 'answer':
        return this.endRound(event.message);
      case 'tool_call':
      case 'tool_output':
      case 'tool_result':
        return this.calls.project(event);
      case 'commands_started':
        return this.startCommands(event);
      case 'commands_ended':
        return this.endCommands(event.failed);
      case 'hooks_running':
        return this.emit({ type: 'meta', patch: { hookStatus: event.status } });
      case 'hooks_ran':
        return this.hooksRan(event);
      case 'routed':
        return this.routed(event);
      case 'message_blocked':
      case 'work_changed':
        return;
      case 'child':
        return this.ofChild(event.event);
      case 'usage':
        return this.emit({ type: 'meta', patch: { usage: usageText(event.usage, event.costUsd), spent: event.usage } });
      case 'storage_failed':
        return this.notice(noticeOfError(event.error));
      case 'held_back':
        return this.emit({ type: 'held_back', items: heldBackItems(event.heldBack) });
      case 'context_cut':
        return this.notice(noticeOfCut(event));
      case 'turn_ended':
        return this.endTurn(event.turn);
      case 'compaction_ended':
        return this.endCompaction(event);
      default:
        if (event.type === 'settings_changed' && event.modelChoice !== 'auto') this.routedAs = undefined;
        return this.facts.project(event);
    }
  }

  /** Takes up a turn that began before it was shown. Calls whose state is not known are shown as running. */
  join(items: readonly ViewItem[], { messages, asks }: { readonly messages: readonly Message[]; readonly asks: readonly Ask[] }): void {
    const last = items.at(-1);
    if (last?.kind !== 'answer') this.open(`a${messages.length}`, new Date().toISOString());
    else {
      this.calls.turnRuns = true;
      this.emit({ type: 'answer_status', item: last.id, status: 'streaming', summary: '' });
      this.emit({ type: 'meta', patch: { activity: this.calls.activity } });
      const results = new Set(messages.flatMap((message) => (message.role === 'tool_result' ? [message.toolCallId] : [])));
      const answer = messages.findLast((message) => message.role === 'assistant');
      for (const call of answer?.content.filter((block) => block.type === 'tool_call') ?? []) {
        const block = last.blocks.findIndex((each) => each.type === 'tool' && each.call.id === call.id);
        if (results.has(call.id) || block < 0) continue;
        this.calls.begin(call, { answer: last.id, block });
        this.emit({ type: 'call', item: last.id, block, call: { id: call.id, name: call.name, subject: '', status: 'running' } });
      }
    }
    for (const ask of asks) {
      if (ask.kind !== 'permission') continue;
      this.project({ type: 'tool_call', who: ask.who, callId: ask.callId, state: { ...ask, status: 'awaiting_approval' } });
    }
  }

  /** Shows the user something. */
  notice(notice: Notice): void {
    this.notices += 1;
    this.emit({ type: 'item_added', item: { kind: 'notice', id: `n${this.notices}-${this.answer}`, ...notice } });
  }

  /** Shows facts that the session does not report. */
  show(facts: ConversationFacts): void {
    this.emit({ type: 'meta', patch: facts });
  }

  /** Shows in an open prompt why its answer was not taken, so that it can be given again. Does nothing when none is open. */
  problem({ items }: ViewState, callId: string, problem: string): void {
    for (const item of items.toReversed()) {
      if (item.kind !== 'answer') continue;
      const block = item.blocks.findIndex((each) => each.type === 'tool' && each.call.id === callId);
      const found = item.blocks[block];
      if (found?.type !== 'tool' || found.call.approval === undefined) continue;
      this.emit({ type: 'call', item: item.id, block, call: { ...found.call, approval: { ...found.call.approval, problem } } });
      return;
    }
  }

  /** Opens another answer for a turn that is made again. As soon as it brings something, it takes the place of what broke off. */
  retry(id: string, time: string): void {
    if (this.blocks > this.whole) this.broken = { answer: this.answer, from: this.whole };
    this.open(id, time);
  }

  /** Opens another answer, behind the message that it answers. */
  private open(id: string, time: string, message?: ViewItem): void {
    this.calls.turnRuns = true;
    this.answer = id;
    this.blocks = 0;
    this.whole = 0;
    this.begun = { round: 0, blocks: 0 };
    this.routedAs = undefined;
    this.model = '';
    // The first event goes out at once, the others a frame later: once the message is visible, the turn can be stopped.
    this.emit({ type: 'meta', patch: { activity: this.calls.activity } });
    if (message !== undefined) this.emit({ type: 'item_added', item: message });
    this.emit({ type: 'item_added', item: { kind: 'answer', id, blocks: [], status: 'streaming', time, summary: '' } });
  }

  /** Adds a message that the user sent in the turn, below the parts that came before; its figures are at the end of the turn. */
  private addMessage(message: UserMessage, index: number): void {
    this.endThinking();
    this.emit({ type: 'answer_status', item: this.answer, status: 'complete', summary: '' });
    const { routedAs, model } = this;
    this.startTurn(message, index);
    [this.routedAs, this.model] = [routedAs, model];
  }

  private endCompaction(event: Extract<SessionEvent, { type: 'compaction_ended' }>): void {
    this.facts.project(event);
    this.emit({ type: 'meta', patch: { activity: this.calls.activity } });
  }

  private routed({ routing, standsIn }: Extract<SessionEvent, { type: 'routed' }>): void {
    if (this.calls.turnRuns) this.routedAs = routing.kind;
    if (standsIn !== undefined) this.notice(noticeOfStandIn(standsIn));
  }

  private startTurn(message: UserMessage, index: number): void {
    const item = {
      kind: 'user' as const,
      id: userItemId(index),
      text: wordsOf(message),
      images: attachedNames(message),
      ...attachedImageCount(message),
      time: message.timestamp,
    };
    this.broken = undefined;
    this.open(`a${index}`, message.timestamp, item);
  }

  /** The commands of a message are shown before it, as it is made of what they print. */
  private startCommands({ calls, time }: Extract<SessionEvent, { type: 'commands_started' }>): void {
    this.broken = undefined;
    this.open(`c${calls[0]?.id ?? ''}`, time);
    this.round = new Map();
    for (const [index, call] of calls.entries()) {
      this.beginCall(index, call);
      this.calls.update(call, { status: 'pending' });
    }
  }

  private endCommands(failed: boolean): void {
    this.emit({ type: 'answer_status', item: this.answer, status: failed ? 'failed' : 'complete', summary: '' });
    this.calls.forget();
  }

  /** A retried round removes the output of the attempt before, which would otherwise be shown once for each attempt. */
  private startRound({ round, model }: Extract<SessionEvent, { type: 'round_started' }>): void {
    if (round === this.begun.round && this.blocks > this.begun.blocks) this.takeBack(this.begun.blocks);
    this.begun = { round, blocks: this.blocks };
    this.round = new Map();
    this.model = model;
  }

  /** Ends a round. Its blocks stay, unless it was interrupted. */
  private endRound({ stopReason }: AssistantMessage): void {
    this.endThinking();
    if (stopReason !== 'error') this.whole = this.blocks;
  }

  private takeBack(from: number): void {
    this.endThinking();
    this.remove(this.answer, from);
    this.blocks = from;
  }

  private remove(answer: string, from: number): void {
    this.emit({ type: 'blocks_removed', item: answer, from });
    this.calls.forget(answer, from);
  }

  private stream(event: StreamEvent): void {
    switch (event.type) {
      case 'text_delta':
        this.endThinking();
        return this.delta(event.index, event.delta, (text) => ({ type: 'text', text }));
      case 'thinking_delta':
        this.delta(event.index, event.delta, (text) => ({ type: 'thinking', text, done: false }));
        return this.beginThinking(event.index);
      case 'tool_call_begin':
        return this.beginCall(event.index, { type: 'tool_call', id: event.id, name: event.name, arguments: '' });
      case 'tool_call_delta':
        return;
      case 'tool_call_end':
        return this.calls.update(event.call, { status: 'pending' });
      default:
        assertNever(event);
    }
  }

  private delta(index: number, delta: string, fresh: (text: string) => ViewBlock): void {
    const block = this.round.get(index);
    if (block === undefined) this.addBlock(index, fresh(delta));
    else this.emit({ type: 'delta', item: this.answer, block, delta });
  }

  private addBlock(index: number, block: ViewBlock): void {
    if (this.broken !== undefined) this.remove(this.broken.answer, this.broken.from);
    this.broken = undefined;
    this.round.set(index, this.blocks);
    this.blocks += 1;
    this.emit({ type: 'block_added', item: this.answer, block });
  }

  private beginThinking(index: number): void {
    const block = this.round.get(index);
    if (block === undefined || block === this.thinking?.block) return;
    this.endThinking();
    this.thinking = { block, since: performance.now() };
  }

  private endThinking(): void {
    if (this.thinking === undefined) return;
    const { block, since } = this.thinking;
    this.emit({ type: 'thinking_done', item: this.answer, block, ms: Math.round(performance.now() - since) });
    this.thinking = undefined;
  }

  private beginCall(index: number, call: ToolCallBlock): void {
    this.endThinking();
    this.calls.begin(call, { answer: this.answer, block: this.blocks });
    const view = { id: call.id, name: call.name, subject: '', status: 'streaming' as const, output: '' };
    this.addBlock(index, { type: 'tool', call: view });
  }

  /** Shows the calls of an agent that works for the chat once one asks: all that the user decides about is in the answer, in the order of asking. */
  private ofChild(event: SessionEvent): void {
    if (event.type === 'child') return this.ofChild(event.event);
    const { who } = event;
    if (event.type === 'tool_result') {
      const toolCallId = idAmongAll({ who, callId: event.message.toolCallId });
      return this.calls.project({ ...event, message: { ...event.message, toolCallId } });
    }
    if (event.type !== 'tool_call' && event.type !== 'tool_output') return;
    const callId = idAmongAll(event);
    if (event.type === 'tool_call' && event.state.status === 'awaiting_approval' && !this.calls.has(callId)) {
      const { plan, call } = event.state;
      const block: ToolCallBlock = { type: 'tool_call', id: callId, name: plan.tool, arguments: JSON.stringify(call.input) };
      const by = `${who.worksFor?.agent ?? ''}: ${who.worksFor?.task ?? ''}`;
      const maker = { by, maker: who.session, ...present({ isApart: who.worksFor?.isApart }) };
      this.calls.begin(block, { answer: this.answer, block: this.blocks, ...maker });
      this.blocks += 1;
      const view = { id: callId, ...maker, name: plan.tool, subject: '', status: 'pending' as const, output: '' };
      this.emit({ type: 'block_added', item: this.answer, block: { type: 'tool', call: view } });
    }
    this.calls.project({ ...event, callId });
  }

  private hooksRan({ outcome, callId }: Extract<SessionEvent, { type: 'hooks_ran' }>): void {
    if (callId !== undefined) this.calls.hooksRan(callId, outcome);
    for (const notice of noticesOfHooks(outcome, callId !== undefined)) this.notice(notice);
  }

  private endTurn(turn: Turn): void {
    this.endThinking();
    // No answer was begun.
    this.calls.turnRuns = false;
    if (turn.end === 'blocked') return this.emit({ type: 'meta', patch: { activity: this.calls.activity } });
    const status = turn.end === 'aborted' ? 'interrupted' : turn.end === 'error' ? 'failed' : 'complete';
    this.emit({
      type: 'answer_status',
      item: this.answer,
      status,
      summary: summaryOf(turn),
      facts: factsOfTurn(turn, { model: this.model, mode: this.mode(), routedAs: this.routedAs }),
    });
    this.calls.forgetOwn();
    this.emit({ type: 'meta', patch: { activity: this.calls.activity } });
    const notice = noticeOfTurn(turn);
    if (notice !== undefined) this.notice(notice);
  }
}
