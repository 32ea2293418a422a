import { Signal } from '../concurrency/signal.js';
import type { Jobs } from '../domain/workspace/jobs.js';
import type { Ask } from '../domain/tool/asks.js';
import type { AgentSession } from '../engine/agent-session.js';

/** A sentence for the user, in a session. */
export interface ToldIn {
  readonly session: string;
  readonly text: string;
}

/** The commands of a session in the background. */
type SessionJobs = Pick<Jobs, 'list' | 'kill'>;

/** The sessions that are open here, for what serves all of them. */
export class OpenSessions {
  private readonly open = new Map<string, AgentSession>();
  private readonly jobs = new Map<string, SessionJobs>();
  private readonly told = new Signal<ToldIn>();
  /** Calls back with what is to be said in a session beside what its agent says. Returns how to stop that. */
  readonly onDidTell = this.told.subscribe;
  private readonly asked = new Signal();
  /** Calls back when something else waits in one of them. Returns how to stop that. */
  readonly onDidChangeAsks = this.asked.subscribe;
  private current = '';

  /** The session that the user worked in last; empty before there is one. */
  get shown(): string {
    return this.current;
  }

  /** Pending approvals and questions of all sessions. Those of one that works for another are among those of that. */
  get asks(): readonly Ask[] {
    return [...this.open.values()].flatMap(({ asks, identity }) => (identity.worksFor === undefined ? asks.waiting : []));
  }

  find(id: string): AgentSession | undefined {
    return this.open.get(id);
  }

  /** The commands of a session in the background; `undefined` where it is not open. */
  jobsOf(id: string): SessionJobs | undefined {
    return this.jobs.get(id);
  }

  /** The user works in a session. */
  show(id: string): void {
    this.current = id;
  }

  /** Says a sentence in a session. */
  tell(session: string, text: string): void {
    this.told.emit({ session, text });
  }

  /** Takes a session up. Returns what to call when it is closed. */
  add(session: AgentSession, jobs?: SessionJobs): () => void {
    this.open.set(session.id, session);
    if (jobs !== undefined) this.jobs.set(session.id, jobs);
    const stop = session.asks.onDidChange(() => this.asked.emit());
    return () => {
      stop();
      if (this.open.get(session.id) !== session) return;
      this.open.delete(session.id);
      this.jobs.delete(session.id);
    };
  }
}
