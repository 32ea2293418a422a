import type { Ask } from '../../../../src/domain/tool/asks.js';
import type { AgentSession } from '../../../../src/engine/agent-session.js';
import type { SessionEvent, ToolCallState, Turn } from '../../../../src/engine/events.js';
import type { Models, Script } from './models.js';
import type { Moment } from './plan.js';
import type { Intents, NumberedPlan } from './scripts.js';

/** How a call ended. */
type Ended = Extract<ToolCallState, { status: 'done' | 'failed' | 'denied' | 'cancelled' }>;

/** A session while somebody works in it as its plan says, and what was seen of it. */
export class Talk {
  readonly turns: Turn[] = [];
  /** The prompts that were answered, by the ids of their calls. */
  readonly answers = new Map<string, 'allow' | 'deny'>();
  /** The calls that were run, which includes those that were stopped then. */
  readonly ran = new Set<string>();
  readonly ended = new Map<string, Ended>();
  /** Resolves when the session is closed, where something has closed it. */
  closing: Promise<void> | undefined;
  private readonly counts = new Map<Moment, number>();
  private readonly prompts = new Set<string>();
  private hasWords = false;

  constructor(
    readonly plan: NumberedPlan,
    readonly session: AgentSession,
    readonly script: Script,
    readonly intents: Intents,
    private readonly models: Models,
  ) {
    session.onEvent((event) => this.heard(event));
  }

  get canary(): string {
    return this.script.canary;
  }

  /** Whether it was stopped before it came to its end. */
  get isStopped(): boolean {
    const { stop } = this.plan;
    return stop !== undefined && (this.counts.get(stop.at) ?? 0) > stop.nth;
  }

  /** Two messages of the user: the second one shows that the session is whole however the first one ended. */
  async play(): Promise<void> {
    for (const words of ['Begin', 'Go on']) {
      if (this.closing !== undefined) break;
      this.turns.push(await this.session.send([{ type: 'text', text: `${words}, ${this.canary}.` }]).turn);
    }
  }

  close(): Promise<void> {
    return (this.closing ??= this.session.close());
  }

  /** A request of it has arrived. @returns whether it was stopped because of that */
  arrived(): boolean {
    return this.isMoment('arrives');
  }

  /** Answers a prompt of it, the first time that it is seen. */
  answer(ask: Ask): void {
    if (ask.kind !== 'permission') return;
    const prompt = `${ask.callId} ${ask.revision}`;
    if (this.prompts.has(prompt)) return;
    this.prompts.add(prompt);
    if (this.isMoment('asks')) return;
    const allows = this.plan.allows[this.answers.size % this.plan.allows.length] ?? false;
    this.answers.set(ask.callId, allows ? 'allow' : 'deny');
    this.session.answer(ask.callId, { type: allows ? 'allow' : 'deny' }, ask.revision);
  }

  private heard(event: SessionEvent): void {
    this.isMoment('event');
    switch (event.type) {
      case 'round_started':
        this.hasWords = false;
        this.isMoment('round starts');
        return;
      case 'stream':
        // Once for an answer: what comes behind its first words may be here before a stop is.
        if (!this.hasWords && !this.isMoment('words come')) this.models.goOn(this.canary);
        this.hasWords = true;
        return;
      case 'answer':
        this.isMoment('answer');
        return;
      case 'tool_result':
        this.isMoment('result');
        return;
      case 'retry_scheduled':
        // The wait begins behind this event.
        if (!this.isMoment('retries')) queueMicrotask(() => this.session.retryNow());
        return;
      case 'tool_call':
        this.heardCall(event.callId, event.state);
        return;
      default:
    }
  }

  private heardCall(callId: string, state: ToolCallState): void {
    switch (state.status) {
      case 'pending':
      case 'awaiting_approval':
        return;
      case 'running':
        this.ran.add(callId);
        this.isMoment('runs');
        return;
      default:
        this.ended.set(callId, state);
    }
  }

  /** Counts that something happens, and stops the session where it is to be stopped then. */
  private isMoment(moment: Moment): boolean {
    const nth = this.counts.get(moment) ?? 0;
    this.counts.set(moment, nth + 1);
    const { stop } = this.plan;
    if (stop?.at !== moment || stop.nth !== nth) return false;
    if (stop.how === 'close') void this.close();
    else this.session.cancel();
    return true;
  }
}
