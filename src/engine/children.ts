import { present } from '../domain/present.js';
import type { FiguresByModel } from '../domain/model/usage.js';
import { figuresSince } from '../domain/model/usage.js';
import type { ApprovalAnswer } from '../domain/tool/permission.js';
import type { AgentSession } from './agent-session.js';
import type { Asks } from './asks.js';
import type { SessionEvent } from './events.js';
import type { ChildReport } from './turn/turn-scope.js';

/** The session that others work for, as far as these concern it. */
interface ParentDeps {
  readonly asks: Asks;
  /** Takes what they have used, and what they were denied. */
  readonly report: (report: ChildReport) => void;
  /** Takes what happens in them. */
  readonly heard: (event: SessionEvent) => void;
}

/** The sessions that work for calls of another one. */
export class Children {
  /** By their ids. */
  private readonly open = new Map<string, AgentSession>();

  constructor(private readonly deps: ParentDeps) {}

  /** What they do, with those that work for them: `waiting` while one of them waits for the user, `idle` while none works. */
  get state(): AgentSession['state'] {
    const states = [...this.open.values()].flatMap(({ state, childState }) => [state, childState]);
    if (states.includes('waiting')) return 'waiting';
    return states.includes('running') ? 'running' : 'idle';
  }

  /** Stops, saves, and releases them all. Rejects when one of them could not be saved. */
  async close(): Promise<void> {
    await Promise.all([...this.open.values()].map((child) => child.close()));
  }

  /** Takes one up, see `AgentSession.adopt`. Its purse is charged by itself. Returns how to end that. */
  adopt(child: AgentSession): () => void {
    const { asks, report, heard } = this.deps;
    this.open.set(child.id, child);
    let counted: FiguresByModel = child.byModel;
    const stop = child.onEvent((event) => {
      if (event.type === 'usage') {
        const figures = figuresSince(counted, child.byModel);
        counted = child.byModel;
        report({ figures });
      }
      if (event.type === 'turn_ended')
        report({ denials: event.turn.denials.map((denial) => ({ ...present({ agent: child.identity.worksFor?.agent }), ...denial })) });
      heard(event);
    });
    const stopAsks = asks.follow(child.asks);
    return () => {
      stop();
      stopAsks();
      this.open.delete(child.id);
    };
  }

  /** Answers a prompt of one of them, or of one that works for it. Returns false when nothing waits under these ids. */
  answer(callId: string, answer: ApprovalAnswer, revision: number | undefined, session: string): boolean {
    return [...this.open.values()].some((child) => child.answer(callId, answer, revision, session));
  }
}
