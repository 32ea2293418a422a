import type { UserContent } from '../domain/content.js';
import type { Compaction, ContextUse, InstructionFile } from '../domain/context.js';
import { InvalidDataError } from '../domain/errors.js';
import type { Message, UserMessage } from '../domain/message.js';
import type { ApprovalAnswer, PermissionMode } from '../domain/permission.js';
import type { ModelInfo, Provider, ThinkingEffort } from '../domain/provider.js';
import { computeSessionStats } from '../domain/session.js';
import type { Usage } from '../domain/usage.js';
import { validateMessage } from '../domain/validate.js';
import type { AgentSession, SessionDependencies } from './agent-session.js';
import { Approvals } from './approvals.js';
import { Engine } from './engine.js';
import type { SessionEvent, Turn } from './events.js';
import { modelKey } from './model-key.js';
import { failure } from './results.js';
import { Spending } from './spending.js';
import { Transcript } from './transcript.js';
import { toWire } from './wire.js';

const INTERRUPTED = failure('Interrupted before it finished; not run again.');

/** The {@link AgentSession} that owns one {@link Engine} and runs one turn at a time (G2, stream-24). */
export class LiveSession implements AgentSession {
  readonly id: string;
  private readonly needs: SessionDependencies;
  private readonly transcript: Transcript;
  private readonly engine: Engine;
  private readonly approvals = new Approvals();
  private readonly listeners = new Set<(event: SessionEvent) => void>();
  private permission: PermissionMode;
  private thinking: ThinkingEffort;
  private turn: { readonly controller: AbortController; readonly done: Promise<Turn> } | undefined;
  private closing: Promise<void> | undefined;

  constructor(needs: SessionDependencies) {
    this.needs = needs;
    this.id = needs.open.session.id;
    this.permission = needs.mode;
    this.thinking = needs.effort;
    const { open, clock, log } = needs;
    const storageFailed = (error: unknown): void => this.emit({ type: 'storage_failed', error });
    this.transcript = new Transcript({ open, clock, log, storageFailed });
    this.engine = this.createEngine();
    void this.transcript.answerOpenCalls(INTERRUPTED);
  }

  get state(): 'idle' | 'running' | 'waiting' {
    if (this.turn === undefined) return 'idle';
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

  get model(): ModelInfo {
    return this.engine.model;
  }

  get effort(): ThinkingEffort {
    return this.thinking;
  }

  get context(): ContextUse | undefined {
    return undefined;
  }

  get instructions(): readonly InstructionFile[] {
    return [];
  }

  get compactions(): readonly Compaction[] {
    return [];
  }

  async send(content: readonly UserContent[]): Promise<Turn> {
    this.checkIdle();
    const message: UserMessage = { role: 'user', content: [...content], timestamp: this.needs.clock.timestamp() };
    validateMessage(message);
    if (content.every((block) => block.type === 'text' && block.text.trim() === '')) {
      throw new InvalidDataError('message.content', 'The message is empty. Write something or attach a file.');
    }
    return this.start(message);
  }

  async retry(): Promise<Turn> {
    this.checkIdle();
    const target = { model: this.model, modelOf: (index: number) => this.transcript.modelOf(index) };
    const last = toWire(this.messages, target).at(-1);
    if (last === undefined) throw new Error('There is nothing to try again yet. Send a message first.');
    if (last.role === 'assistant') throw new Error('The last answer is complete. Send a message to go on.');
    return this.start(undefined);
  }

  answer(callId: string, answer: ApprovalAnswer): boolean {
    return this.approvals.answer(callId, answer);
  }

  cancel(): void {
    this.turn?.controller.abort();
  }

  retryNow(): boolean {
    return false;
  }

  setModel(provider: Provider, model: ModelInfo): void {
    this.engine.setModel(provider, model);
    void this.transcript.updateMeta({ model: modelKey(model) });
  }

  compact(): Promise<void> {
    return Promise.reject(new Error('There is too little to summarise.'));
  }

  undoCompaction(): boolean {
    return false;
  }

  setEffort(effort: ThinkingEffort): void {
    this.thinking = effort;
  }

  setMode(mode: PermissionMode): void {
    this.permission = mode;
    void this.transcript.updateMeta({ mode });
  }

  onEvent(listener: (event: SessionEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private createEngine(): Engine {
    const { open, tools, gate, clock, log, maxRounds, provider, model } = this.needs;
    const { id: sessionId, systemPrompt, messages } = open.session;
    const { usage } = computeSessionStats(messages);
    const known = open.meta.costUsd ?? (messages.length === 0 ? 0 : undefined);
    const total = known === undefined ? Spending.unpriced(usage) : new Spending(usage, known);
    const { transcript, approvals } = this;
    const mode = (): PermissionMode => this.permission;
    const effort = (): ThinkingEffort => this.thinking;
    const shared = { transcript, approvals, mode, total, tools, gate, clock, log, maxRounds, effort, provider, model };
    return new Engine({ ...shared, sessionId, systemPrompt });
  }

  private checkIdle(): void {
    if (this.closing !== undefined) throw new Error('This session is closed. Open it again to go on.');
    if (this.turn !== undefined) throw new Error('Gnomon is still at work. Wait until it has finished, or stop it.');
  }

  private start(message: UserMessage | undefined): Promise<Turn> {
    const controller = new AbortController();
    const done = this.run(message, controller.signal);
    this.turn = { controller, done };
    return done;
  }

  private async run(message: UserMessage | undefined, signal: AbortSignal): Promise<Turn> {
    const turn = await this.engine.submit(message, (event) => this.emit(event), signal);
    void this.transcript.fold({ model: modelKey(this.model), mode: this.mode, costUsd: this.costUsd });
    this.turn = undefined;
    this.emit({ type: 'turn_ended', turn });
    return turn;
  }

  private async shutDown(): Promise<void> {
    this.cancel();
    await this.turn?.done;
    await this.transcript.close();
  }

  private emit(event: SessionEvent): void {
    for (const listener of this.listeners) {
      try {
        listener(event);
      } catch (error) {
        this.needs.log.error(`A listener failed at the event ${event.type}`, error);
      }
    }
  }
}
