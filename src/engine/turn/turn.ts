import { type AssistantMessage, toolCalls, type UserMessage } from '../../domain/model/message.js';
import { AbortError, LimitReachedError, ProviderError } from '../../domain/errors.js';
import type { SessionIdentity } from '../../domain/session/identity.js';
import type { ThinkingEffort } from '../../domain/model/effort.js';
import { type ModelInfo, priceOf, type Provider, type Request } from '../../domain/model/provider.js';
import { outputInWords } from '../../domain/model/output.js';
import type { Caps, Reservation } from '../../domain/model/purse.js';
import type { AutoModel } from '../auto-model.js';
import { Account } from './account.js';
import { type Answer, streamAnswer } from './answer.js';
import { limitError, turnsReached } from './caps.js';
import { CallIds } from './call-ids.js';
import type { Tool } from '../../domain/tool/tool.js';
import { continueMessage, MAX_STOP_BLOCKS } from '../hooks/session-life.js';
import { findTool } from '../tool-call/find-tool.js';
import { ContextGuard } from '../context/context-guard.js';
import type { EmittedEvent, StartedTurn, Turn } from '../events.js';
import { modelKey } from '../../domain/model/model-key.js';
import { offeredTo, promptFor } from '../model-advice.js';
import {
  emptiness,
  endlessPauses,
  failed,
  filledWindow,
  isAnswered,
  isCut,
  isPause,
  type Outcome,
  outcomeOfAnswer,
  refusalOf,
  repeatedCalls,
  windowFilled,
} from './outcome.js';
import { buildRequest } from '../wire.js';
import { CANCELLED } from '../tool-call/results.js';
import { Retries } from './retry.js';
import { type Payer, unsent } from '../one-shot/ask-paid.js';
import { estimateOf, reachedIn, reserveIn, settledBy } from './pay.js';
import type { Spending } from './spending.js';
import type { ContextWindow, Exchange } from '../context/context-window.js';
import type { Pauses } from './pauses.js';
import { TurnCalls, type TurnCallsDeps } from './turn-calls.js';
import { type AnswerLimit, goesOn, limited, type RunningModel, type TurnScope } from './turn-scope.js';
import type { MetaPatch } from '../transcript.js';
import { toolsOf } from '../agents/narrow.js';
import { completePrompt } from '../system-prompt.js';
import { NOTHING_MORE, type ReadTurnSettings } from './turn-settings.js';
import type { AgentFile } from '../../domain/config/agent.js';

/** Times in a row that a model which pauses is asked to continue. */
const MAX_PAUSES = 10;
/** Times in a row that a model whose answer was cut off is asked to continue. */
const MAX_CUTS = 3;

/** Services of all turns of one session, with its limits for rounds, retries, and cost. */
export interface TurnDeps extends TurnCallsDeps {
  readonly systemPrompt: string;
  /** The tools of the session that are always there. */
  readonly tools: readonly Tool[];
  /** Keeps requests within the model's context window. */
  readonly window: ContextWindow;
  /** The most rounds of one turn. */
  readonly maxRounds: number;
  /** The most attempts to get an answer, after the first. */
  readonly maxRetries: number;
  /** The waits between attempts. */
  readonly pauses: Pauses;
  /** Current limits of the session; its purse enforces the cost. */
  readonly caps: () => Caps;
  /** Identity of the session. Absent: a session of the user. */
  readonly identity?: SessionIdentity;
  /** The agent that works from the next turn on; absent: none beside the usual. */
  readonly agent: () => AgentFile | undefined;
  /** Settings to store, for when the session is opened again. */
  readonly settings: () => Pick<MetaPatch, 'model' | 'modelChoice' | 'mode' | 'agent'>;
  /** Current thinking effort, for models that support it. */
  readonly effort: () => ThinkingEffort;
  /** The model for the next round. */
  readonly model: () => RunningModel;
  /** Total usage of the session. */
  readonly total: Spending;
  readonly turnSettings: ReadTurnSettings;
  /** The automatic choice of models. */
  readonly auto: AutoModel;
  /** Takes what the user has said since the turn began, oldest first, to be recorded before the next round. */
  readonly said: (signal: AbortSignal) => Promise<readonly SteeringMessage[]>;
  /** Ends the turn for such messages. Returns false where it has to go on because some wait. @param well whether the model has come to an end */
  readonly endSaid: (well: boolean) => boolean;
}

/** A message that the user wrote while a turn ran. */
export interface SteeringMessage {
  readonly id: string;
  readonly message: UserMessage;
}

/** A request for which room is reserved. */
interface PaidRequest {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly request: Request;
  readonly room: Reservation;
}

/** One turn: from a message of the user to an answer that needs no more tools. Runs once. */
export class TurnRun {
  private readonly emit: (event: EmittedEvent) => void;
  private readonly signal: AbortSignal;
  private readonly answers: AnswerLimit;
  private readonly account: Account;
  private readonly calls: TurnCalls;
  /** All tools of the turn. They stay the same while it runs. */
  private tools: readonly Tool[] = [];
  /** Those of the session that the agent does not have. */
  private withheld: readonly Tool[] = [];
  /** The agent of the turn. It stays the same while it runs. */
  private agent: AgentFile | undefined;
  private additions = NOTHING_MORE.additions;
  /** The first message of the turn. */
  private begun = 0;
  /** The round that runs. */
  private round = 0;
  /** Those in which something was sent. */
  private rounds = 0;
  /** Answers in a row that the model paused in. */
  private paused = 0;
  /** Answers in a row that were cut off. */
  private cut = 0;
  /** Answers in a row that called tools without stopping for them. */
  private unmeant = 0;
  private modelMs = 0;
  /** Number of times that Stop hooks kept the turn from ending. */
  private stopBlocks = 0;
  /** Whether the server was asked in this turn how large the window is that it gives. */
  private windowRead = false;

  constructor(
    private readonly deps: TurnDeps,
    private readonly scope: TurnScope,
  ) {
    this.emit = scope.emit;
    this.signal = scope.signal;
    this.answers = scope.answers;
    this.account = new Account({ transcript: deps.transcript, total: deps.total, emit: scope.emit });
    this.calls = new TurnCalls(deps, { ...scope, agent: () => this.limits, spent: (spent) => this.account.addSpent(spent) });
    scope.usedByChild = (figures) => this.account.addFigures(figures);
  }

  /** The agent by which calls are judged. One that works for a session is held to what that may do now, and not only from its next turn on. */
  private get limits(): AgentFile | undefined {
    return this.deps.identity?.worksFor === undefined ? this.agent : this.deps.agent();
  }

  /** Starts the turn. When it has ended, every call of the transcript is answered. */
  start(input: UserMessage | undefined): StartedTurn {
    const { messages } = this.deps.transcript;
    const first = messages.length;
    // A turn that is made again has no message of its own.
    this.begun =
      input === undefined
        ? Math.max(
            0,
            messages.findLastIndex(({ role }) => role === 'user'),
          )
        : first;
    if (input !== undefined) this.deps.transcript.beginTurn(first);
    const recorded = this.record(input);
    return { recorded, turn: this.run(first, recorded) };
  }

  private async run(first: number, recorded: Promise<undefined>): Promise<Turn> {
    const { clock, transcript, log } = this.deps;
    const started = clock.monotonic();
    const outcome = await this.runRounds(recorded).catch((error: unknown): Outcome => {
      log.error('A turn failed', error);
      return { end: 'error', error };
    });
    await transcript.answerOpenCalls(CANCELLED);
    this.holdBack(outcome);
    return {
      ...outcome,
      messages: transcript.messages.slice(first),
      ...this.account.figures,
      rounds: this.rounds,
      durationMs: clock.monotonic() - started,
      modelMs: this.modelMs,
      denials: this.calls.denials,
    };
  }

  /** Holds back a refused message, which would make the next requests fail, too. */
  private holdBack({ error }: Outcome): void {
    if (!(error instanceof ProviderError) || error.kind !== 'refused_content') return;
    const { window, model } = this.deps;
    window.holdBack(this.begun, model().model, this.emit);
  }

  private async runRounds(recorded: Promise<undefined>): Promise<Outcome> {
    await recorded;
    const { routing } = this.scope;
    this.deps.auto.note(routing, this.begun);
    if (routing?.problem !== undefined) return failed(routing.problem);
    this.agent = this.deps.agent();
    const { additions, moreTools } = await this.deps.turnSettings({ ...this.deps.model(), agent: this.agent }, this.signal);
    this.additions = additions;
    const all = [...this.deps.tools, ...moreTools];
    this.tools = toolsOf(this.agent, all);
    this.withheld = all.filter((tool) => !this.tools.includes(tool));
    const maxRounds = Math.min(this.deps.maxRounds, this.agent?.maxTurns ?? Number.POSITIVE_INFINITY);
    while (!this.signal.aborted) {
      if (this.rounds >= maxRounds) return { end: 'round_limit' };
      await this.recordSaid();
      const outcome = await this.runRound();
      if (outcome !== undefined && !(await this.isHeldUp(outcome)) && this.deps.endSaid(isAnswered(outcome))) return outcome;
    }
    return { end: 'aborted' };
  }

  /** Whether hooks want a turn that has come to its end to continue; they can a limited number of times. */
  private async isHeldUp({ end }: Outcome): Promise<boolean> {
    const { hooks, transcript, clock } = this.deps;
    if (end !== 'end_turn' || this.stopBlocks >= MAX_STOP_BLOCKS) return false;
    const { block, stop } = await hooks.run(hooks.stopEvent(transcript.messages, this.stopBlocks > 0), this.signal);
    if (block === undefined || stop !== undefined || this.signal.aborted) return false;
    this.stopBlocks += 1;
    const message = continueMessage(block, this.stopBlocks, clock.timestamp());
    this.emit({ type: 'message_added', id: `hook-${this.stopBlocks}`, message, index: await transcript.append(message) });
    return true;
  }

  /** The message is recorded before anything is asked of a model. */
  private async record(input: UserMessage | undefined): Promise<undefined> {
    const { transcript, settings, total } = this.deps;
    const recorded = input === undefined ? undefined : transcript.append(input);
    // With the cost so far, so that it stays known when the first request is interrupted.
    void transcript.updateMeta({ interruptedAt: undefined, ...settings(), ...total.stored });
    const index = await recorded;
    if (input !== undefined && index !== undefined) this.emit({ type: 'turn_started', message: input, index });
    return undefined;
  }

  /** All calls are answered between two rounds: there a message can stand. */
  private async recordSaid(): Promise<void> {
    for (const { id, message } of await this.deps.said(this.signal)) {
      const index = await this.deps.transcript.append(message);
      this.deps.auto.carry(this.begun, index);
      this.emit({ type: 'message_added', id, message, index });
    }
  }

  /** Returns how the turn ends, or `undefined` when another round follows. */
  private async runRound(): Promise<Outcome | undefined> {
    const { maxRetries, pauses, window, model } = this.deps;
    const { signal, emit } = this;
    const retries = new Retries({ maxRetries, pauses, signal, emit });
    const room = new ContextGuard({ window, model, signal, emit, begun: this.begun, payer: this.payer });
    this.round = this.rounds + 1;
    try {
      return await this.untilAnswer(room, retries);
    } finally {
      room.unanswered();
    }
  }

  private async untilAnswer(room: ContextGuard, retries: Retries): Promise<Outcome | undefined> {
    const { signal } = this;
    for (;;) {
      const ending = this.capped() ?? (await room.before());
      if (ending !== undefined) return ending;
      const { message, error = emptiness(message) } = await this.attempt();
      if (message !== undefined && error === undefined) {
        room.answered();
        this.deps.auto.answered();
        return this.afterAnswer(message, room);
      }
      if (error instanceof LimitReachedError) return failed(error);
      const refusal = await room.after(error);
      if (refusal.again || (await retries.again(error))) continue;
      const last = signal.aborted ? refusal : await room.atLast(refusal.error);
      if (last.again) continue;
      if (!signal.aborted && (await this.deps.auto.after(last.error, this.begun, signal))) continue;
      return signal.aborted ? { end: 'aborted' } : failed(last.error);
    }
  }

  private capped(): Outcome | undefined {
    const { caps, transcript, purse } = this.deps;
    const { model } = this.deps.model();
    const reached = turnsReached(caps(), transcript.messages) ?? reachedIn(purse, priceOf(model) !== undefined);
    return reached === undefined ? undefined : failed(limitError(reached, model));
  }

  /** Asks once, as soon as there is room for it in the purse. */
  private async attempt(): Promise<Answer> {
    const { purse, window } = this.deps;
    const { provider, model } = this.deps.model();
    const request = this.request(provider, model);
    const room = await reserveIn(purse, estimateOf({ provider, model, request, tokens: window.nextTokens(model) }), this.signal);
    if (room === 'aborted') return unsent(new AbortError());
    return 'limit' in room ? unsent(limitError(room, model)) : this.send({ provider, model, request, room });
  }

  /** Sends a request and keeps what came. */
  private async send({ provider, model, request, room }: PaidRequest): Promise<Answer> {
    this.emit({ type: 'round_started', round: this.round, model: modelKey(model) });
    const sentAt = this.deps.clock.timestamp();
    const answer = await settledBy(this.ask(provider, request), model, room);
    if (answer.unsent !== true) this.rounds = this.round;
    const { message, error = refusalOf(message) } = answer;
    await this.account.keep(answer, model);
    if (error === undefined) await this.measure({ provider, model, request, message, usage: answer.usage, sentAt });
    if (message !== undefined) this.deps.window.report(model, this.emit);
    if (message !== undefined && error !== undefined) await this.calls.refuse(message);
    return { ...answer, error };
  }

  private request(provider: Provider, model: ModelInfo): Request {
    const { sessionId, transcript, window, systemPrompt, effort } = this.deps;
    const told = {
      systemPrompt: promptFor(completePrompt(systemPrompt, this.additions, this.agent), model),
      tools: offeredTo(this.tools, model, provider.loadsFoundTools?.(model.id)).map((tool) => tool.spec),
    };
    const input = { ...told, messages: transcript.sent, effort: effort(), cacheKey: sessionId };
    const request = buildRequest({ ...input, output: this.answers.output }, window.target(limited(model, this.answers)));
    return model.supportsOutputSchema === false ? outputInWords(request) : request;
  }

  /** Learns how large the window is that the server gives, from itself or from what it read. */
  private async measure(exchange: Exchange): Promise<void> {
    const { window } = this.deps;
    if (!this.windowRead) await window.readServed(exchange, this.signal);
    this.windowRead = true;
    window.checkCut(exchange, this.emit);
    this.account.recordCacheBreak(window.checkCache(exchange));
  }

  private async ask(provider: Provider, request: Request): Promise<Answer> {
    const { transcript, clock, log } = this.deps;
    const started = clock.monotonic();
    const answer = await streamAnswer(request, {
      provider,
      ids: new CallIds(transcript.messages, (name) => findTool(this.tools, name)?.spec.name ?? name),
      signal: this.signal,
      clock,
      log,
      event: (event) => this.emit({ type: 'stream', event }),
      partial: (message) => transcript.partial(message),
    });
    this.modelMs += clock.monotonic() - started;
    return answer;
  }

  private get payer(): Payer {
    return { purse: this.deps.purse, count: (answer, model) => this.account.add(answer, model) };
  }

  private async afterAnswer(message: AssistantMessage, room: ContextGuard): Promise<Outcome | undefined> {
    const calls = toolCalls(message);
    if (isPause(message)) return this.afterPause(message);
    this.paused = 0;
    if (isCut(message)) return this.afterCut(message, room);
    this.cut = 0;
    if (calls.length === 0) return outcomeOfAnswer(message);
    if (message.stopReason !== 'tool_use') return this.afterUnmeant(message);
    this.unmeant = 0;
    await this.calls.run(calls, this.tools, this.withheld);
    this.deps.window.report(this.deps.model().model, this.emit);
    if (this.calls.stopped !== undefined && !this.signal.aborted) return { end: 'hook', error: new Error(this.calls.stopped) };
    return this.calls.loop === undefined || this.signal.aborted ? undefined : repeatedCalls(this.calls.loop);
  }

  /** Calls in an answer that did not stop for them are not run; the model that ended its answer gets a note, as it wanted them. */
  private async afterUnmeant(message: AssistantMessage): Promise<Outcome | undefined> {
    await this.calls.refuse(message);
    this.unmeant += 1;
    return message.stopReason === 'end_turn' && this.unmeant <= MAX_CUTS ? undefined : outcomeOfAnswer(message);
  }

  /** Continues a response that was cut off, if wanted: as it is after its length limit, with more room after it filled the window. */
  private async afterCut(message: AssistantMessage, room: ContextGuard): Promise<Outcome | undefined> {
    await this.calls.refuse(message);
    if (!goesOn(this.answers)) return filledWindow(message) ? outcomeOfAnswer(message) : { end: 'cut' };
    this.cut += 1;
    if (this.cut > MAX_CUTS) return outcomeOfAnswer(message);
    if (!filledWindow(message)) return undefined;
    const refusal = await room.after(windowFilled());
    return refusal.again ? undefined : failed(refusal.error);
  }

  private async afterPause(message: AssistantMessage): Promise<Outcome | undefined> {
    await this.calls.refuse(message);
    this.paused += 1;
    return this.paused > MAX_PAUSES ? endlessPauses(this.paused) : undefined;
  }
}
