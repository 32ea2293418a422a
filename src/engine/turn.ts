import type { Clock } from '../domain/clock.js';
import type { ToolCallBlock } from '../domain/content.js';
import type { Log } from '../domain/log.js';
import type { AssistantMessage, UserMessage } from '../domain/message.js';
import { toolCalls } from '../domain/message-helpers.js';
import type { Gate, PermissionMode } from '../domain/permission.js';
import type { ModelInfo, Provider, ThinkingEffort } from '../domain/provider.js';
import type { PermissionDenial } from '../domain/session-store.js';
import type { Tool, ToolResult } from '../domain/tool.js';
import type { Answer } from './answer.js';
import { streamAnswer } from './answer.js';
import type { Approvals } from './approvals.js';
import { CallIds } from './call-ids.js';
import type { SessionEvent, ToolCallState, Turn } from './events.js';
import { LoopGuard } from './loop-guard.js';
import { modelKey } from './model-key.js';
import type { Outcome } from './outcome.js';
import { emptyAnswer, notExecuted, outcomeOfAnswer, repeatedCall } from './outcome.js';
import { buildRequest } from './request.js';
import { CANCELLED, failure, resultMessage } from './results.js';
import { runToolCalls } from './scheduler.js';
import { Spending } from './spending.js';
import type { Transcript } from './transcript.js';

/** What turns of one engine work with. */
export interface TurnDependencies {
  readonly sessionId: string;
  readonly systemPrompt: string;
  readonly transcript: Transcript;
  readonly tools: readonly Tool[];
  readonly gate: Gate;
  readonly approvals: Approvals;
  readonly clock: Clock;
  readonly log: Log;
  /** The most rounds of one turn. */
  readonly maxRounds: number;
  /** How much models that can think should, now. */
  readonly effort: () => ThinkingEffort;
  /** The permission mode now. */
  readonly mode: () => PermissionMode;
  /** The model for the next round. */
  readonly model: () => { readonly provider: Provider; readonly model: ModelInfo };
  /** What the whole session used. */
  readonly total: Spending;
}

/** One turn: from a message of the person to an answer that needs no more tools (G4, G13). Runs once. */
export class TurnRun {
  private readonly needs: TurnDependencies;
  private readonly emit: (event: SessionEvent) => void;
  private readonly signal: AbortSignal;
  private readonly spent = new Spending();
  private readonly guard = new LoopGuard();
  private readonly denials: PermissionDenial[] = [];
  private rounds = 0;
  private modelMs = 0;

  constructor(needs: TurnDependencies, emit: (event: SessionEvent) => void, signal: AbortSignal) {
    this.needs = needs;
    this.emit = emit;
    this.signal = signal;
  }

  /** Runs the turn. Never throws: what goes wrong is in the turn. Every call of the transcript is answered then. */
  async run(input: UserMessage | undefined): Promise<Turn> {
    const { clock, transcript, log } = this.needs;
    const started = clock.monotonic();
    const first = transcript.messages.length;
    const outcome = await this.runRounds(input).catch((error: unknown): Outcome => {
      log.error('A turn failed', error);
      return { end: 'error', error };
    });
    await transcript.answerOpenCalls(CANCELLED);
    return {
      ...outcome,
      messages: transcript.messages.slice(first),
      usage: this.spent.usage,
      costUsd: this.spent.costUsd,
      rounds: this.rounds,
      durationMs: clock.monotonic() - started,
      modelMs: this.modelMs,
      denials: this.denials,
    };
  }

  private async runRounds(input: UserMessage | undefined): Promise<Outcome> {
    await this.begin(input);
    while (!this.signal.aborted) {
      if (this.rounds >= this.needs.maxRounds) return { end: 'round_limit' };
      const outcome = await this.runRound();
      if (outcome !== undefined) return outcome;
    }
    return { end: 'aborted' };
  }

  /** The message is recorded before anything is asked of a model. */
  private async begin(input: UserMessage | undefined): Promise<void> {
    const { transcript, model, mode } = this.needs;
    const recorded = input === undefined ? undefined : transcript.append(input);
    void transcript.updateMeta({ interruptedAt: undefined, model: modelKey(model().model), mode: mode() });
    const index = await recorded;
    if (input !== undefined && index !== undefined) this.emit({ type: 'turn_started', message: input, index });
  }

  /** Returns how the turn ends, or `undefined` when another round follows. */
  private async runRound(): Promise<Outcome | undefined> {
    const { provider, model } = this.needs.model();
    this.rounds += 1;
    this.emit({ type: 'round_started', round: this.rounds, model: modelKey(model) });
    const answer = await this.ask(provider, model);
    const { message } = answer;
    if (message !== undefined) await this.keep(message, model);
    this.spend(answer, model);
    if (answer.error !== undefined) return this.brokenOff(answer);
    return message === undefined ? emptyAnswer() : this.afterAnswer(message);
  }

  private async ask(provider: Provider, model: ModelInfo): Promise<Answer> {
    const { transcript, systemPrompt, tools, effort, clock, log } = this.needs;
    const { messages } = transcript;
    const target = { model, modelOf: (index: number) => transcript.modelOf(index) };
    const request = buildRequest({ systemPrompt, messages, tools: tools.map((tool) => tool.spec), effort: effort() }, target);
    const started = clock.monotonic();
    const answer = await streamAnswer(request, {
      provider,
      ids: new CallIds(messages),
      signal: this.signal,
      clock,
      log,
      event: (event) => this.emit({ type: 'stream', event }),
      partial: (message) => transcript.partial(message),
    });
    this.modelMs += clock.monotonic() - started;
    return answer;
  }

  private async keep(message: AssistantMessage, model: ModelInfo): Promise<void> {
    const index = await this.needs.transcript.append(message, modelKey(model));
    this.emit({ type: 'answer', message, index });
  }

  private spend({ usage }: Answer, model: ModelInfo): void {
    const { total } = this.needs;
    this.spent.add(usage, model.pricing);
    total.add(usage, model.pricing);
    this.emit({ type: 'usage', usage: total.usage, costUsd: total.costUsd });
  }

  private async brokenOff({ message, error }: Answer): Promise<Outcome> {
    if (message !== undefined) await this.refuse(message);
    return this.signal.aborted ? { end: 'aborted' } : { end: 'error', error };
  }

  private async afterAnswer(message: AssistantMessage): Promise<Outcome | undefined> {
    const calls = toolCalls(message);
    if (calls.length === 0) return outcomeOfAnswer(message);
    if (message.stopReason !== 'tool_use') {
      await this.refuse(message);
      return message.stopReason === 'end_turn' ? { end: 'end_turn' } : outcomeOfAnswer(message);
    }
    await this.runCalls(calls);
    const last = calls.at(-1);
    return this.guard.tripped && last !== undefined && !this.signal.aborted ? repeatedCall(last) : undefined;
  }

  private runCalls(calls: readonly ToolCallBlock[]): Promise<void> {
    const { sessionId, tools, gate, approvals, mode, log, transcript } = this.needs;
    const denied = (denial: PermissionDenial): void => {
      this.denials.push(denial);
      transcript.deny(denial);
    };
    const context = { sessionId, tools, gate, approvals, mode, log, denied, signal: this.signal, emit: this.emit };
    return runToolCalls(calls, context, (call, result) => this.answerCall(call, result));
  }

  /** Answers the calls of a message that are not to be run. */
  private async refuse(message: AssistantMessage): Promise<void> {
    const result = failure(notExecuted(message.stopReason));
    const state: ToolCallState = message.stopReason === 'aborted' ? { status: 'cancelled' } : { status: 'failed', result };
    for (const call of toolCalls(message)) {
      this.emit({ type: 'tool_call', callId: call.id, state });
      await this.answerCall(call, result);
    }
  }

  private async answerCall(call: ToolCallBlock, result: ToolResult): Promise<void> {
    const message = resultMessage(call, result, this.needs.clock.timestamp());
    const index = await this.needs.transcript.append(message);
    this.guard.note(call, result.isError);
    this.emit({ type: 'tool_result', message, index });
  }
}
