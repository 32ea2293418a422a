import { assertNever } from '../../domain/assert-never.js';
import { errorMessage } from '../../domain/errors.js';
import type { Compaction } from '../../domain/session/context.js';
import type { EmittedEvent } from '../../engine/events.js';
import type { ViewEvent } from '../../protocol/view-event.js';
import type { ViewCompactionItem, ViewState } from '../../protocol/view-state.js';
import { compactionView, instructionsView, retryView } from './session-facts.js';

/** Events about the session as a whole: waits, the context window, summaries, instructions. */
export type SessionFactEvent = Extract<
  EmittedEvent,
  {
    type:
      | 'retry_scheduled'
      | 'retry_ended'
      | 'context'
      | 'compaction_started'
      | 'compacted'
      | 'compaction_failed'
      | 'compaction_undone'
      | 'compaction_ended'
      | 'settings_changed'
      | 'instructions_found';
  }
>;

/** Where {@link SessionFactsProjector} puts what it makes. */
export interface FactSink {
  readonly emit: (event: ViewEvent) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Turns events about the session as a whole into changes of what panels show. */
export class SessionFactsProjector {
  private readonly shown: ViewCompactionItem[];
  private made = 0;

  /** @param compactions items of the stored conversation, oldest first. */
  constructor(
    private readonly sink: FactSink,
    compactions: readonly ViewCompactionItem[],
  ) {
    this.shown = [...compactions];
  }

  /** Takes the next event. */
  project(event: SessionFactEvent): void {
    switch (event.type) {
      case 'retry_scheduled':
        return this.patch({ retry: retryView(event, this.sink.now()) });
      case 'retry_ended':
        return this.patch({ retry: null });
      case 'context':
        return this.patch({ context: event.context });
      case 'settings_changed':
        return this.patch({
          model: event.model,
          modelChoice: event.modelChoice,
          mode: event.mode,
          effectiveMode: event.effectiveMode,
          effort: event.effort,
          agent: event.agent ?? '',
        });
      case 'instructions_found':
        return this.patch({ instructions: instructionsView(event.found) });
      default:
        return this.compaction(event);
    }
  }

  private compaction(event: Extract<SessionFactEvent, { type: `compact${string}` }>): void {
    switch (event.type) {
      case 'compaction_started':
        return this.start(event.trigger);
      case 'compacted':
        return this.finish(event.compaction);
      case 'compaction_failed':
        return this.fail(event.error);
      case 'compaction_undone':
        return this.undo();
      case 'compaction_ended':
        return this.patch({ activity: 'idle' });
      default:
        assertNever(event);
    }
  }

  private start(trigger: ViewCompactionItem['trigger']): void {
    this.made += 1;
    const id = `c${this.made}-${this.shown.length}`;
    const item: ViewCompactionItem = { kind: 'compaction', id, trigger, summary: '', tokensBefore: 0, tokensAfter: 0, status: 'running' };
    this.shown.push(item);
    this.sink.emit({ type: 'item_added', item });
    this.patch({ activity: 'running' });
  }

  private finish(compaction: Compaction): void {
    const running = this.shown.findLastIndex(({ status }) => status === 'running');
    const covered = this.shown.findLastIndex(({ status }) => status === 'active');
    const item = this.shown[running];
    if (item === undefined) return;
    this.replace(running, compactionView(item.id, compaction, 'active'));
    this.restate(covered, 'covered');
  }

  private fail(error: unknown): void {
    const running = this.shown.findLastIndex(({ status }) => status === 'running');
    const item = this.shown[running];
    if (item !== undefined) this.replace(running, { ...item, status: 'failed', problem: errorMessage(error) });
  }

  private undo(): void {
    this.restate(
      this.shown.findLastIndex(({ status }) => status === 'active'),
      'undone',
    );
    this.restate(
      this.shown.findLastIndex(({ status }) => status === 'covered'),
      'active',
    );
  }

  private restate(index: number, status: ViewCompactionItem['status']): void {
    const item = this.shown[index];
    if (item !== undefined) this.replace(index, { ...item, status });
  }

  private replace(index: number, item: ViewCompactionItem): void {
    this.shown[index] = item;
    this.sink.emit({ type: 'compaction', item });
  }

  private patch(patch: Partial<Omit<ViewState, 'items'>>): void {
    this.sink.emit({ type: 'meta', patch });
  }
}
