/** The call in another session that a session works for. */
export interface WorksFor {
  readonly session: string;
  readonly callId: string;
  /** Name of the agent that does the work, such as `explore`. */
  readonly agent: string;
  /** The work in a few words, by the model that asked for it. */
  readonly task: string;
  /** Whether it works in a worktree: what it changes there are no files of the user. */
  readonly isApart?: true;
}

/** Identity of a session: the agent that the user talks to, or one that works on behalf of another session. */
export interface SessionIdentity {
  readonly session: string;
  /** Absent for a session of the user's own. */
  readonly worksFor?: WorksFor;
  /** For how many sessions in a row it works: 0 for the user's own. */
  readonly depth: number;
}

/** A session of the user's own. */
export function ownSession(session: string): SessionIdentity {
  return { session, depth: 0 };
}
