import { modelKey } from '../../domain/model/model-key.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import type { FiguresByModel, Spent } from '../../domain/model/usage.js';
import type { CacheBreak } from '../../domain/session/context.js';
import type { EmittedEvent } from '../events.js';
import type { Transcript } from '../transcript.js';
import type { Answer } from './answer.js';
import { type Figures, Spending } from './spending.js';

/** The session of a turn. */
interface AccountDeps {
  readonly transcript: Transcript;
  /** Total usage of the session. */
  readonly total: Spending;
  readonly emit: (event: EmittedEvent) => void;
}

/**
 * Counts what a turn uses, alone and in its session, and stores that as soon as it is known: a turn can take hours, and a crash does
 * not wait for its end.
 */
export class Account {
  private readonly spent = new Spending();

  constructor(private readonly deps: AccountDeps) {}

  /** Usage of the turn. */
  get figures(): Figures {
    return this.spent.figures;
  }

  /** Notes what a request of the turn read anew. */
  recordCacheBreak(lost: CacheBreak | undefined): void {
    this.spent.recordCacheBreak(lost);
  }

  /** Counts a request of the conversation, and adds its answer, if it has one. */
  async keep(answer: Answer, model: ModelInfo): Promise<void> {
    const { transcript, total, emit } = this.deps;
    const { message } = answer;
    this.count(answer, model);
    if (message === undefined) this.save();
    else emit({ type: 'answer', message, index: await transcript.append(message, { model: modelKey(model), spent: total.stored }) });
    this.tell();
  }

  /** Counts a request beside the conversation. */
  add(answer: Answer, model: ModelInfo): void {
    this.count(answer, model);
    this.save();
    this.tell();
  }

  /** Counts what a tool call used. */
  addSpent(spent: Spent): void {
    this.spent.addSpent(spent);
    this.deps.total.addSpent(spent);
    this.save();
    this.tell();
  }

  /** Counts what a session that works for this one used. */
  addFigures(figures: FiguresByModel): void {
    this.spent.addFigures(figures);
    this.deps.total.addFigures(figures);
    this.save();
    this.tell();
  }

  private count(answer: Answer, model: ModelInfo): void {
    this.spent.add(answer, model);
    this.deps.total.add(answer, model);
  }

  private save(): void {
    void this.deps.transcript.saveSpent(this.deps.total.stored);
  }

  private tell(): void {
    const { usage, costUsd } = this.deps.total;
    this.deps.emit({ type: 'usage', usage, costUsd });
  }
}
