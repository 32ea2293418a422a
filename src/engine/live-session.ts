import { Signal } from '../concurrency/signal.js';
import type { UserContent } from '../domain/model/content.js';
import { withoutNotes, withWords, wordsOf } from '../domain/session/attached.js';
import type { ColdCache, Compaction, ContextUse, FoundInstructions } from '../domain/session/context.js';
import { t } from '../domain/l10n.js';
import type { HookBlock } from '../domain/hook/outcome.js';
import { scriptAsWritten, type ScriptedText } from '../domain/session/scripted-text.js';
import type { Message, UserMessage, Timestamp } from '../domain/model/message.js';
import type { ApprovalAnswer, PermissionMode } from '../domain/tool/permission.js';
import { closestEffort, type ThinkingEffort } from '../domain/model/effort.js';
import type { ModelInfo, Provider } from '../domain/model/provider.js';
import type { Usage } from '../domain/model/usage.js';
import type { AgentSession, SessionDeps } from './agent-session.js';
import { Approvals } from './tool-call/approvals.js';
import { SessionContext } from './context/session-context.js';
import { Engine, type MoreTools } from './engine.js';
import { HookNotifications } from './hooks/notifications.js';
import { SessionHooks } from './hooks/session-hooks.js';
import { hookRecords } from './hooks/hook-records.js';
import { SessionLife } from './hooks/session-life.js';
import { blockedTurn } from './hooks/blocked-turn.js';
import type { MessageBlock, SessionEvent, StartedTurn, Turn } from './events.js';
import type { SaidMeanwhile } from './turn/turn.js';
import { modelKey } from './model-key.js';
import { NO_ADDITIONS } from './prompt-additions.js';
import { Pauses } from './turn/pauses.js';
import { failure, INTERRUPTED } from './tool-call/results.js';
import { Spending } from './turn/spending.js';
import { type MetaPatch, Transcript } from './transcript.js';
import { toWire } from './wire.js';
import { InvalidDataError, NothingToCompactError } from '../domain/errors.js';
import { validateMessage } from '../domain/model/validate.js';
import type { AgentFile } from '../domain/config/agent.js';
import { narrowMode } from '../domain/tool/narrow-mode.js';

/** Starts a session. Calls that an interruption left without an answer are answered first, never run again. */
export function createAgentSession(deps: SessionDeps): AgentSession {
  return new LiveSession(deps);
}

/** A message that goes out, if there is one, or what blocked it. */
type PreparedMessage<Block extends MessageBlock = MessageBlock> = { readonly message: UserMessage | undefined } | { readonly block: Block };

/** The {@link AgentSession} that owns one {@link Engine} and runs one turn at a time. */
export class LiveSession implements AgentSession {
  readonly id: string;
  private readonly deps: SessionDeps;
  private readonly transcript: Transcript;
  private readonly room: SessionContext;
  private readonly engine: Engine;
  private readonly hooks: SessionHooks;
  private readonly life: SessionLife;
  private readonly notifications: HookNotifications;
  private readonly approvals = new Approvals();
  private readonly pauses: Pauses;
  /** What was said while the turn runs and is not recorded yet, by id. */
  private readonly steering = new Map<string, readonly UserContent[]>();
  private readonly events: Signal<SessionEvent>;
  private readonly emit: (event: SessionEvent) => void;
  private permission: PermissionMode;
  private chosen: AgentFile | undefined;
  private thinking: ThinkingEffort;
  /** Stops the turn or the summary that is being made. */
  private working: AbortController | undefined;
  /** Whether that is a turn. */
  private inTurn = false;
  private done: Promise<unknown> = Promise.resolve();
  private closing: Promise<void> | undefined;

  constructor(deps: SessionDeps) {
    this.deps = deps;
    this.id = deps.open.session.id;
    this.permission = deps.mode;
    this.chosen = deps.agent;
    this.thinking = deps.effort;
    this.pauses = new Pauses(deps.wait);
    const { open, clock, log } = deps;
    this.events = new Signal((error, { type }) => log.error(`A listener failed at the event ${type}`, error));
    this.emit = (event) => {
      this.notifications.heard(event);
      if (event.type === 'hooks_ran' && event.callId !== undefined) this.transcript.noteHooks(hookRecords(event.outcome, event.callId));
      this.events.emit(event);
    };
    const storageFailed = (error: unknown): void => this.emit({ type: 'storage_failed', error });
    this.transcript = new Transcript({ open, clock, log, storageFailed });
    this.hooks = new SessionHooks({ options: deps.hooks, sessionId: this.id, mode: () => this.effectiveMode, emit: this.emit });
    this.notifications = new HookNotifications(this.hooks);
    this.life = new SessionLife(this.hooks, open.session.messages.length > 0 ? 'resume' : deps.clears === true ? 'clear' : 'startup');
    this.room = new SessionContext({ ...deps, transcript: this.transcript, emit: this.emit, life: this.life });
    this.engine = this.createEngine();
    void this.transcript.answerOpenCalls(failure(INTERRUPTED));
  }

  get state(): 'idle' | 'running' | 'waiting' {
    if (this.working === undefined) return 'idle';
    return this.approvals.size > 0 ? 'waiting' : 'running';
  }

  get messages(): readonly Message[] {
    return this.engine.history;
  }

  get usage(): Usage {
    return this.engine.usage;
  }

  get costUsd(): number | undefined {
    return this.engine.costUsd;
  }

  get mode(): PermissionMode {
    return this.permission;
  }

  get agent(): AgentFile | undefined {
    return this.chosen;
  }

  get model(): ModelInfo {
    return this.engine.model;
  }

  get effort(): ThinkingEffort {
    return closestEffort(this.model.efforts, this.thinking);
  }

  get context(): ContextUse | undefined {
    return this.room.window.detailed(this.model);
  }

  get coldCache(): ColdCache | undefined {
    return this.engine.coldCache;
  }

  get instructions(): FoundInstructions {
    return this.room.instructions;
  }

  get compactions(): readonly Compaction[] {
    return this.room.window.compactions;
  }

  send(content: readonly UserContent[], script?: ScriptedText): StartedTurn {
    this.checkIdle();
    if (script === undefined) return this.startTurn(this.messageOf(content));
    // What makes it no message shows before anything runs.
    userMessage(withWords(content, scriptAsWritten(script)), this.deps.clock.timestamp());
    return this.startTurn((signal) => this.scriptedMessage(content, script, signal));
  }

  steer(id: string, content: readonly UserContent[]): boolean {
    userMessage(content, this.deps.clock.timestamp());
    const { working } = this;
    if (working === undefined || working.signal.aborted || !this.inTurn) return false;
    this.steering.set(id, content);
    return true;
  }

  unsteer(id: string): boolean {
    return this.steering.delete(id);
  }

  retry(): StartedTurn {
    this.checkIdle();
    const last = toWire(this.messages, this.room.window.target(this.model)).at(-1);
    if (last === undefined) throw new Error(t('There is nothing to retry yet. Send a message first.'));
    if (last.role === 'assistant') throw new Error(t('The last response is complete. Send a message to continue.'));
    return this.startTurn(() => Promise.resolve({ message: undefined }));
  }

  answer(callId: string, answer: ApprovalAnswer, revision?: number): boolean {
    return this.approvals.answer(callId, answer, revision);
  }

  cancel(): void {
    this.working?.abort();
  }

  retryNow(): boolean {
    return this.pauses.skip();
  }

  setModel(provider: Provider, model: ModelInfo): void {
    this.engine.setModel(provider, model);
    void this.transcript.updateMeta({ model: modelKey(model) });
    this.settingsChanged();
    this.room.window.report(model, this.emit);
  }

  compact(instructions?: string): Promise<void> {
    this.checkIdle();
    const enough = this.room.window.canCompact({ model: this.model, trigger: 'manual' });
    if (!enough) throw new NothingToCompactError(t('Nothing to compact yet.'));
    const work = this.runCompaction(instructions, this.beginWork());
    this.done = work;
    return work;
  }

  undoCompaction(): boolean {
    if (this.working !== undefined || this.closing !== undefined) return false;
    return this.room.window.undo(this.model, this.emit);
  }

  charge(usage: Usage, model: ModelInfo): void {
    this.engine.charge(usage, model, this.emit);
    if (this.closing === undefined) void this.transcript.updateMeta({ costUsd: this.costUsd });
  }

  setEffort(effort: ThinkingEffort): void {
    this.thinking = effort;
    this.settingsChanged();
  }

  setAgent(agent: AgentFile | undefined): void {
    this.chosen = agent;
    void this.transcript.updateMeta({ agent: agent?.name });
    this.settingsChanged();
  }

  setMode(mode: PermissionMode): void {
    this.permission = mode;
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

  private createEngine(): Engine {
    const { open, gate, changes, clock, log, maxRounds, maxRetries, provider, model, caps = () => ({}), moreTools = () => [], additions = () => Promise.resolve(NO_ADDITIONS) } = this.deps;
    const { id: sessionId, systemPrompt, messages } = open.session;
    const total = Spending.ofStored(messages, open.meta.costUsd);
    const { transcript, approvals, pauses, hooks } = this;
    const mode = (): PermissionMode => this.effectiveMode;
    const agent = (): AgentFile | undefined => this.agent;
    const settings = (): Pick<MetaPatch, 'mode' | 'agent'> => ({ mode: this.mode, agent: this.agent?.name });
    const effort = (): ThinkingEffort => this.thinking;
    const said = (signal: AbortSignal): Promise<readonly SaidMeanwhile[]> => this.takeSaid(signal);
    const shared = { transcript, hooks, window: this.room.window, tools: this.room.tools, approvals, mode, agent, settings, total, gate, clock, log, effort, provider, model, ...(changes === undefined ? {} : { changes }) };
    const withSkills: MoreTools = async (asked, signal) => [...this.room.skillTools, ...(await moreTools(asked, signal))];
    return new Engine({ ...shared, moreTools: withSkills, additions, maxRounds, maxRetries, caps, pauses, said, sessionId, systemPrompt });
  }

  /** A message as the model gets it: with what it has to know of where it works, and what hooks say. They can block it. */
  private messageOf(content: readonly UserContent[]): (signal: AbortSignal) => Promise<PreparedMessage<HookBlock>> {
    const time = this.deps.clock.timestamp();
    const message = userMessage(withoutNotes(content), time);
    return async (signal) => {
      const hooked = await this.life.prompt(wordsOf(message), signal);
      if ('block' in hooked) return hooked;
      const notes = await this.room.notes({ mode: this.effectiveMode, model: this.model.label, time }, signal);
      return { message: { ...message, content: [...notes, ...(hooked.note === undefined ? [] : [hooked.note]), ...message.content] } };
    };
  }

  private async scriptedMessage(content: readonly UserContent[], script: ScriptedText, signal: AbortSignal): Promise<PreparedMessage> {
    const outcome = await this.engine.runScript(script, this.emit, signal);
    return 'block' in outcome ? outcome : this.messageOf(withWords(content, outcome.words))(signal);
  }

  private async takeSaid(signal: AbortSignal): Promise<readonly SaidMeanwhile[]> {
    const waiting = [...this.steering];
    this.steering.clear();
    const said: SaidMeanwhile[] = [];
    // Each note says what has changed since the one before.
    for (const [id, content] of waiting) {
      const prepared = await this.messageOf(content)(signal);
      if ('block' in prepared) this.emit({ type: 'message_blocked', id, block: prepared.block });
      else if (prepared.message !== undefined) said.push({ id, message: prepared.message });
    }
    return said;
  }

  private checkIdle(): void {
    if (this.closing !== undefined) throw new Error(t('This chat is closed. Reopen it to continue.'));
    if (this.working !== undefined) throw new Error(t('Gnomon is still working. Wait until it finishes, or stop it.'));
  }

  /** The mode in which calls are judged. */
  private get effectiveMode(): PermissionMode {
    return narrowMode(this.permission, this.agent?.permissionMode);
  }

  private settingsChanged(): void {
    this.emit({ type: 'settings_changed', model: modelKey(this.model), mode: this.mode, effort: this.effort, ...(this.agent === undefined ? {} : { agent: this.agent.name }) });
  }

  private beginWork(): AbortSignal {
    this.working = new AbortController();
    return this.working.signal;
  }

  /** @param prepare makes the message of the user, if there is one; does not reject and does not take long, but for hooks */
  private startTurn(prepare: (signal: AbortSignal) => Promise<PreparedMessage>): StartedTurn {
    const signal = this.beginWork();
    this.inTurn = true;
    const started = prepare(signal).then((prepared) => ('block' in prepared ? blockedTurn(prepared.block) : this.engine.submit(prepared.message, this.emit, signal)));
    const ended = this.endTurn(started.then(({ turn }) => turn));
    this.done = ended;
    return { recorded: started.then(({ recorded }) => recorded), turn: ended };
  }

  private async endTurn(running: Promise<Turn>): Promise<Turn> {
    const turn = await running;
    if (turn.end !== 'blocked') void this.transcript.fold(turn, { model: modelKey(this.model), mode: this.mode, costUsd: this.costUsd });
    this.working = undefined;
    this.inTurn = false;
    this.steering.clear();
    this.emit({ type: 'turn_ended', turn });
    return turn;
  }

  private async runCompaction(instructions: string | undefined, signal: AbortSignal): Promise<void> {
    const outcome = await this.engine.compact(instructions, this.emit, signal);
    void this.transcript.updateMeta({ costUsd: this.costUsd });
    this.working = undefined;
    this.emit({ type: 'compaction_ended', ...(outcome.type === 'failed' ? { error: outcome.error } : {}) });
  }

  private async shutDown(reason: 'clear' | 'other'): Promise<void> {
    this.cancel();
    await this.done;
    this.notifications.dispose();
    await this.life.end(reason);
    await this.transcript.close();
  }
}

/**
 * Makes a user message.
 * @throws InvalidDataError when it is invalid or empty.
 */
function userMessage(content: readonly UserContent[], timestamp: Timestamp): UserMessage {
  const message: UserMessage = { role: 'user', content: [...content], timestamp };
  validateMessage(message);
  if (content.every((block) => block.type === 'text' && block.text.trim() === '')) {
    throw new InvalidDataError('message.content', t('The message is empty. Write something or attach a file.'));
  }
  return message;
}
