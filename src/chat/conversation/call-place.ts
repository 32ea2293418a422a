/** A call among those of a chat and of the agents that work for it. */
export interface CallPlace {
  /** Id of the session of an agent; absent for the chat itself. */
  readonly session?: string;
  readonly callId: string;
}

/** A session that Gnomon began has an id of digits (`timeId`); the ids that servers give to calls can have a slash, too. */
const OF_AN_AGENT = /^(\d{16,})\/(.*)$/s;

/** The call that an id stands for, as `idAmongAll` makes them. */
export function callPlace(shown: string): CallPlace {
  const [, session, callId] = OF_AN_AGENT.exec(shown) ?? [];
  return session === undefined || callId === undefined ? { callId: shown } : { session, callId };
}
