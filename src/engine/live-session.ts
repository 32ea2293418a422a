import { setMaxListeners } from 'node:events';
import { Signal } from '../concurrency/signal.js';
import type { UserContent } from '../domain/model/content.js';
import type { ColdCache, Compaction, ContextUse, FoundInstructions } from '../domain/session/context.js';
import { t } from '../domain/l10n.js';
import type { TurnGrant } from '../domain/tool/turn-grant.js';
import type { Message } from '../domain/model/message.js';
import type { ToolResult } from '../domain/tool/tool.js';
import type { ApprovalAnswer, PermissionMode } from '../domain/tool/permission.js';
import { closestEffort, type ThinkingEffort } from '../domain/model/effort.js';
import { choiceText, type ModelChoice } from '../domain/model/model-choice.js';
import type { ModelInfo, Provider, Request } from '../domain/model/provider.js';
import type { Purse } from '../domain/model/purse.js';
import type { FiguresByModel, Usage } from '../domain/model/usage.js';
import { ownSession, type SessionIdentity } from '../domain/session/identity.js';
import { Asks } from './asks.js';
import { Children } from './children.js';
import type { AgentSession, ExpectedWork, SessionDeps } from './agent-session.js';
import { Approvals } from './tool-call/approvals.js';
import { SessionContext } from './context/session-context.js';
import { HookNotifications } from './hooks/notifications.js';
import { SessionHooks } from './hooks/session-hooks.js';
import { hookRecords } from './hooks/hook-records.js';
import { SessionLife } from './hooks/session-life.js';
import { blockedTurn } from './hooks/blocked-turn.js';
import type { EmittedEvent, SessionEvent, StartedTurn, Turn } from './events.js';
import { type ProgramCall, ProgramCalls } from './turn/program-calls.js';
import { ScriptRun } from './turn/script-run.js';
import { type TurnDeps, TurnRun } from './turn/turn.js';
import { type PreparedMessage, Steering } from './turn/steering.js';
import { hasOwnSettings, NO_MODEL, type TurnOptions, type TurnScope } from './turn/turn-scope.js';
import { type MessageParts, messageAsWritten, prepareScripted } from './prepare-message.js';
import { modelKey } from '../domain/model/model-key.js';
import { Pauses } from './turn/pauses.js';
import type { AskedModel } from './one-shot/ask-once.js';
import { askPaid, payerOf } from './one-shot/ask-paid.js';
import type { Answer } from './turn/answer.js';
import { INTERRUPTED } from './tool-call/results.js';
import { Transcript, userMessage } from './transcript.js';
import { turnDepsOf } from './turn-deps.js';
import { toWire } from './wire.js';
import type { HeldBack, PermissionDenial } from '../domain/session/session-store.js';
import { NothingToCompactError } from '../domain/errors.js';
import type { AgentFile } from '../domain/config/agent.js';
import { AutoModel } from './auto-model.js';
import { Choices } from './choices.js';

/** Starts a session. Calls that an interruption left without an answer are answered first, never run again. */
export function createAgentSession(deps: SessionDeps): AgentSession {
  return new LiveSession(deps);
}

/** The {@link AgentSession} that talks to models and runs tools for one conversation, one turn at a time. */
export class LiveSession implements AgentSession {
  readonly id: string;
  readonly identity: SessionIdentity;
  readonly asks = new Asks();
  private readonly transcript: Transcript;
  private readonly room: SessionContext;
  private readonly messageParts: MessageParts;
  private readonly turnDeps: TurnDeps;
  private readonly hooks: SessionHooks;
  private readonly life: SessionLife;
  private readonly notifications: HookNotifications;
  private readonly approvals = new Approvals();
  private readonly pauses: Pauses;
  private readonly steering = new Steering();
  private readonly events: Signal<SessionEvent>;
  private readonly emit: (event: EmittedEvent) => void;
  private readonly choices: Choices;
  readonly auto: AutoModel;
  /** Those that work for calls of this one. */
  private readonly children = new Children({
    asks: this.asks,
    used: (figures) => this.usedByChild(figures),
    heard: (event) => this.events.emit({ type: 'child', event, who: this.identity }),
    changed: () => this.emit({ type: 'work_changed' }),
  });
  readonly adopt = (child: AgentSession): (() => void) => this.children.adopt(child);
  readonly expect = (work: ExpectedWork): void => this.children.expect(work);
  readonly takeDenials = (): readonly PermissionDenial[] => this.children.takeDenials();
  /** Those that programs make. */
  private readonly calls: ProgramCalls;
  /** Stops the turn or the summary that is being made. */
  private working: AbortController | undefined;
  /** The turn that runs, and what it has beside the settings of the session. */
  private turn: { readonly scope: TurnScope; readonly options: TurnOptions } | undefined;
  /** Options of the last turn, for a retry. Rules that it requests are judged again at each call. */
  private lastOptions: TurnOptions = {};
  private done: Promise<unknown> = Promise.resolve();
  private closing: Promise<void> | undefined;
  closed = false;

  constructor(private readonly deps: SessionDeps) {
    this.id = deps.open.session.id;
    this.identity = deps.identity ?? ownSession(this.id);
    this.choices = new Choices(deps);
    this.pauses = new Pauses(deps.wait);
    const { open, clock, log } = deps;
    this.events = new Signal((error, { type }) => log.error(`A listener failed at the event ${type}`, error));
    this.emit = (emitted) => {
      const event = { ...emitted, who: this.identity };
      this.notifications.heard(event);
      if (event.type === 'hooks_ran' && event.callId !== undefined) this.transcript.noteHooks(hookRecords(event.outcome, event.callId));
      this.events.emit(event);
      this.asks.heard(event);
    };
    this.transcript = new Transcript({ open, clock, log, storageFailed: (error) => this.emit({ type: 'storage_failed', error }) });
    this.hooks = new SessionHooks({
      options: deps.hooks,
      who: this.identity,
      messages: open.session.messages,
      mode: () => this.effectiveMode,
      agent: () => this.choices.activeAgent,
      emit: this.emit,
    });
    this.notifications = new HookNotifications(this.hooks);
    const source = open.session.messages.length > 0 ? 'resume' : deps.clears === true ? 'clear' : 'startup';
    this.life = new SessionLife(this.hooks, this.identity.worksFor === undefined ? source : 'agent');
    this.room = new SessionContext({ ...deps, transcript: this.transcript, emit: this.emit, life: this.life, auto: () => this.auto });
    this.messageParts = { hooks: this.hooks, life: this.life, room: this.room, choices: this.choices, clock };
    this.auto = new AutoModel({ ...deps, choices: this.choices, transcript: this.transcript, window: this.room.window, emit: this.emit });
    const { transcript, approvals, pauses, hooks, room, choices, auto, steering, messageParts, emit } = this;
    const { setMode = (mode: PermissionMode): void => this.setMode(mode) } = deps;
    this.turnDeps = turnDepsOf(deps, { transcript, approvals, pauses, hooks, room, choices, auto, steering, messageParts, emit, setMode });
    // What goes with results for a model is left out.
    this.calls = new ProgramCalls({ ...this.turnDeps, tools: deps.tools, emit: this.emit }, this.life);
    void this.transcript.answerOpenCalls(INTERRUPTED);
  }

  get state(): AgentSession['state'] {
    if (this.working === undefined) return 'idle';
    return this.approvals.size > 0 || this.childState === 'waiting' ? 'waiting' : 'running';
  }

  get childState(): AgentSession['state'] {
    return this.children.state;
  }

  get messages(): readonly Message[] {
    return this.transcript.messages;
  }

  get usage(): Usage {
    return this.turnDeps.total.usage;
  }

  get costUsd(): number | undefined {
    return this.turnDeps.total.costUsd;
  }

  get byModel(): FiguresByModel {
    return this.turnDeps.total.byModel;
  }

  get purse(): Purse {
    return this.turnDeps.purse;
  }

  get mode(): PermissionMode {
    return this.choices.mode;
  }

  get agent(): AgentFile | undefined {
    return this.choices.agent;
  }

  get activeAgent(): AgentFile | undefined {
    return this.choices.activeAgent;
  }

  get effectiveMode(): PermissionMode {
    return this.choices.effectiveMode;
  }

  get grants(): readonly TurnGrant[] {
    return this.turn?.scope.grants ?? [];
  }

  get model(): ModelInfo {
    return this.choices.activeModel.model;
  }

  get effort(): ThinkingEffort {
    return closestEffort(this.model.efforts, this.choices.activeEffort);
  }

  get context(): ContextUse | undefined {
    return this.room.window.detailed(this.model);
  }

  get coldCache(): ColdCache | undefined {
    return this.room.window.cold(this.choices.activeModel);
  }

  get instructions(): FoundInstructions {
    return this.room.instructions;
  }

  get heldBack(): readonly HeldBack[] {
    return this.transcript.heldBack;
  }

  get compactions(): readonly Compaction[] {
    return this.room.window.compactions;
  }

  send(content: readonly UserContent[], options: TurnOptions = {}): StartedTurn {
    this.checkIdle();
    const { messageParts: parts } = this;
    // What makes it no message shows before anything runs. The hooks of a command also guard the commands in its text.
    this.hooks.noted(messageAsWritten(content, options.script, parts));
    const run = (scope: TurnScope): ScriptRun => new ScriptRun(this.turnDeps, scope);
    return this.startTurn(content, (scope) => prepareScripted(content, options.script, parts, () => run(scope), scope.signal), options);
  }

  call(call: ProgramCall): Promise<ToolResult> {
    if (this.closing !== undefined || this.working !== undefined) this.checkIdle();
    return this.calls.run(call);
  }

  steer(id: string, content: readonly UserContent[]): boolean {
    userMessage(content, this.deps.clock.timestamp());
    if (this.working?.signal.aborted !== false || this.turn === undefined) return false;
    return this.steering.add(id, content);
  }

  unsteer(id: string): boolean {
    return this.steering.remove(id);
  }

  retry(): StartedTurn {
    this.checkIdle();
    const last = toWire(this.transcript.sent, this.room.window.target(this.model)).at(-1);
    if (last === undefined) throw new Error(t('There is nothing to retry yet. Send a message first.'));
    if (last.role === 'assistant') throw new Error(t('The last response is complete. Send a message to continue.'));
    return this.startTurn(undefined, () => Promise.resolve({ message: undefined }), this.lastOptions);
  }

  answer(callId: string, answer: ApprovalAnswer, revision?: number, session = this.id): boolean {
    if (session === this.id) return this.approvals.answer(callId, answer, revision);
    return this.children.answer(callId, answer, revision, session);
  }

  cancel(): void {
    this.working?.abort();
  }

  retryNow(): boolean {
    return this.pauses.skip();
  }

  setModel(provider: Provider, model: ModelInfo, choice: ModelChoice = { type: 'pinned', key: modelKey(model) }): void {
    this.auto.use({ provider, model }, choice);
    // The user's choice goes before what a turn wants, also when that is tried again.
    if (this.turn !== undefined) this.turn = { ...this.turn, options: { ...this.turn.options, ...NO_MODEL } };
    this.choices.ofTurn = this.turn?.options;
    this.lastOptions = { ...this.lastOptions, ...NO_MODEL };
    void this.transcript.updateMeta({ model: modelKey(model), modelChoice: choiceText(choice) });
    this.settingsChanged();
    this.room.window.report(model, this.emit);
  }

  compact(instructions?: string): Promise<void> {
    this.checkIdle();
    if (!this.room.window.canCompact({ model: this.model, trigger: 'manual' })) throw new NothingToCompactError(t('Nothing to compact yet.'));
    const work = this.runCompaction(instructions, this.beginWork());
    this.done = work;
    return work;
  }

  undoCompaction(): boolean {
    return this.working === undefined && this.closing === undefined && this.room.window.undo(this.model, this.emit);
  }

  putBack(index: number): boolean {
    return this.working === undefined && this.closing === undefined && this.room.window.putBack(index, this.model, this.emit);
  }

  async ask(request: Request, asked: Omit<AskedModel, 'clock' | 'log'>): Promise<Answer> {
    const { clock, log } = this.deps;
    const answer = await askPaid(request, { ...asked, clock, log }, payerOf(this.turnDeps, this.emit));
    if (this.closing === undefined) void this.transcript.saveSpent(this.turnDeps.total.stored);
    return answer;
  }

  setEffort(effort: ThinkingEffort): void {
    this.choices.effort = effort;
    this.settingsChanged();
  }

  setAgent(agent: AgentFile | undefined): void {
    this.choices.agent = agent;
    void this.transcript.updateMeta({ agent: agent?.name });
    this.settingsChanged();
  }

  setMode(mode: PermissionMode): void {
    this.choices.mode = mode;
    void this.transcript.updateMeta({ mode });
    this.settingsChanged();
  }

  onEvent(listener: (event: SessionEvent) => void): () => void {
    return this.events.subscribe(listener);
  }

  close(reason: 'clear' | 'other' = 'other'): Promise<void> {
    this.closing ??= this.shutDown(reason);
    return this.closing;
  }

  /** Takes what a session that works for this one has used: in the turn that runs, if one does. */
  private usedByChild(figures: FiguresByModel): void {
    if (this.turn?.scope.usedByChild !== undefined) return this.turn.scope.usedByChild(figures);
    this.turnDeps.total.addFigures(figures);
    void this.transcript.saveSpent(this.turnDeps.total.stored);
    this.emit({ type: 'usage', usage: this.usage, costUsd: this.costUsd });
  }

  private checkIdle(): void {
    if (this.closing !== undefined) throw new Error(t('This chat is closed. Reopen it to continue.'));
    if (this.working !== undefined || !this.calls.idle) throw new Error(t('Gnomon is still working. Wait until it finishes, or stop it.'));
  }

  private settingsChanged(): void {
    this.emit(this.choices.event);
  }

  private beginWork(): AbortSignal {
    this.working = new AbortController();
    // All calls of an answer can run side by side, and each listens: Node would take that for a mistake, and say so to the user of a terminal.
    setMaxListeners(0, this.working.signal);
    return this.working.signal;
  }

  /**
   * @param said what the user says; absent where the last message is answered again
   * @param prepare makes the message of the user, if there is one; does not reject and does not take long, but for hooks
   */
  private startTurn(said: readonly UserContent[] | undefined, prepare: (scope: TurnScope) => Promise<PreparedMessage>, options: TurnOptions = {}): StartedTurn {
    const scope: TurnScope = { emit: this.emit, signal: this.beginWork(), grants: [...(options.grants ?? [])], answers: options.answers ?? {} };
    this.setTurn({ scope, options });
    this.steering.begin();
    // Before the message is made, as notes in it name its model.
    const made = this.auto.isOn() ? this.auto.before(said, scope, options.proposed).then(() => prepare(scope)) : prepare(scope);
    const started = made.then((prepared) => ('block' in prepared ? blockedTurn(prepared.block) : new TurnRun(this.turnDeps, scope).start(prepared.message)));
    const ended = this.endTurn(started.then(({ turn }) => turn));
    this.done = ended;
    return { recorded: started.then(({ recorded }) => recorded), turn: ended };
  }

  /** Begins or ends what only the turn has. */
  private setTurn(turn: LiveSession['turn']): void {
    const isChange = [this.turn, turn].some((each) => each !== undefined && hasOwnSettings(each.options));
    this.turn = turn;
    this.choices.ofTurn = turn?.options;
    if (isChange) this.settingsChanged();
  }

  private async endTurn(running: Promise<Turn>): Promise<Turn> {
    const ran = await running;
    const turn = { ...ran, denials: [...ran.denials, ...this.takeDenials()] };
    if (turn.end !== 'blocked') {
      void this.transcript.fold(turn, { model: modelKey(this.choices.model.model), mode: this.mode, ...this.turnDeps.total.stored });
      this.lastOptions = { ...this.turn?.options, grants: this.grants };
    }
    this.working = undefined;
    this.setTurn(undefined);
    this.steering.clear();
    this.emit({ type: 'turn_ended', turn });
    return turn;
  }

  private async runCompaction(instructions: string | undefined, signal: AbortSignal): Promise<void> {
    const wish = instructions === undefined || instructions.trim() === '' ? {} : { instructions: instructions.trim() };
    const payer = payerOf(this.turnDeps, this.emit);
    const outcome = await this.room.window.compact({ ...this.choices.activeModel, ...wish, trigger: 'manual', emit: this.emit, signal, payer });
    void this.transcript.saveSpent(this.turnDeps.total.stored);
    this.working = undefined;
    this.emit({ type: 'compaction_ended', ...(outcome.type === 'failed' ? { error: outcome.error } : {}) });
  }

  private async shutDown(reason: 'clear' | 'other'): Promise<void> {
    // Known before anything is stopped by it.
    this.closed = true;
    this.cancel();
    await Promise.all([this.done, this.calls.close()]);
    this.notifications.dispose();
    try {
      await this.children.close();
      await this.life.end(reason);
      await this.transcript.close();
    } finally {
      // Not before: a turn that still ran could start another command.
      await this.deps.released?.();
    }
  }
}
