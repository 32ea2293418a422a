/** A call among those of a chat and of the agents that work for it. */
export interface CallPlace {
  /** Id of the session of an agent; absent for the chat itself. */
  readonly session?: string;
  readonly callId: string;
}

/** The call that an id stands for, as `idAmongAll` makes them. */
export function callPlace(shown: string): CallPlace {
  const slash = shown.indexOf('/');
  return slash < 0 ? { callId: shown } : { session: shown.slice(0, slash), callId: shown.slice(slash + 1) };
}
