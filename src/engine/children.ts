import { present } from '../domain/present.js';
import type { FiguresByModel } from '../domain/model/usage.js';
import { figuresSince } from '../domain/model/usage.js';
import type { PermissionDenial } from '../domain/session/session-store.js';
import type { ApprovalAnswer } from '../domain/tool/permission.js';
import type { AgentSession, ExpectedWork } from './agent-session.js';
import type { Asks } from './asks.js';
import type { SessionEvent } from './events.js';

/** The session that others work for, as far as these concern it. */
interface ParentDeps {
  readonly asks: Asks;
  /** Takes what one has used since the last call of this function. */
  readonly used: (figures: FiguresByModel) => void;
  /** Takes what happens in them. */
  readonly heard: (event: SessionEvent) => void;
  /** Is called when work for it is about to begin, or has ended. */
  readonly changed: () => void;
}

/** The sessions that work for calls of another one. */
export class Children {
  /** By their ids. */
  private readonly open = new Map<string, AgentSession>();
  private readonly expected = new Set<ExpectedWork>();
  private denials: readonly PermissionDenial[] = [];

  constructor(private readonly deps: ParentDeps) {}

  /** What they do, with those that work for them: `waiting` while one of them waits for the user, `idle` while none works, or is about to. */
  get state(): AgentSession['state'] {
    const states = [...this.open.values()].flatMap(({ state, childState }) => [state, childState]);
    if (states.includes('waiting')) return 'waiting';
    return states.includes('running') || this.expected.size > 0 ? 'running' : 'idle';
  }

  /** Takes up work that is done for it, or waits to be, see `AgentSession.expect`. */
  expect(work: ExpectedWork): void {
    this.expected.add(work);
    this.deps.changed();
    void work.ended.then(() => {
      this.expected.delete(work);
      this.deps.changed();
    });
  }

  /** Stops, saves, and releases them all, also those that are about to begin. Rejects when one of them could not be saved. */
  async close(): Promise<void> {
    for (const { stop } of this.expected) stop();
    await Promise.all([...this.expected].map(({ ended }) => ended));
    await Promise.all([...this.open.values()].map((child) => child.close()));
  }

  /** Takes one up, see `AgentSession.adopt`. It charges its own purse. Returns how to end that. */
  adopt(child: AgentSession): () => void {
    const { asks, used, heard } = this.deps;
    this.open.set(child.id, child);
    let counted: FiguresByModel = child.byModel;
    const stop = child.onEvent((event) => {
      if (event.type === 'usage') {
        const figures = figuresSince(counted, child.byModel);
        counted = child.byModel;
        used(figures);
      }
      if (event.type === 'turn_ended') this.noteDenials(child, event.turn.denials);
      heard(event);
    });
    const stopAsks = asks.follow(child.asks);
    return () => {
      stop();
      stopAsks();
      // One that works in the background can be denied something after the last turn of who has started it.
      this.noteDenials(child, child.takeDenials());
      this.open.delete(child.id);
    };
  }

  private noteDenials({ identity }: AgentSession, denials: readonly PermissionDenial[]): void {
    const { agent } = identity.worksFor ?? {};
    this.denials = [...this.denials, ...denials.map((denial) => ({ ...present({ agent }), ...denial }))];
  }

  /** What they were denied since the last call of this function: some work while no turn of the parent runs. */
  takeDenials(): readonly PermissionDenial[] {
    const { denials } = this;
    this.denials = [];
    return denials;
  }

  /** Answers a prompt of one of them, or of one that works for it. Returns false when nothing waits under these ids. */
  answer(callId: string, answer: ApprovalAnswer, revision: number | undefined, session: string): boolean {
    return [...this.open.values()].some((child) => child.answer(callId, answer, revision, session));
  }
}
