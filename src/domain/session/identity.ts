/** Identity of a session: the agent that the user talks to, or one that works on behalf of another session. */
export interface SessionIdentity {
  readonly session: string;
  /** The call in another session that it works for; absent for a session of the user's own. */
  readonly worksFor?: { readonly session: string; readonly callId: string };
  /** For how many sessions in a row it works: 0 for the user's own. */
  readonly depth: number;
}

/** A session of the user's own. */
export function ownSession(session: string): SessionIdentity {
  return { session, depth: 0 };
}
