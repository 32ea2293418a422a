/** A call among those of a chat and of the agents that work for it. */
export interface CallPlace {
  /** Id of the session of an agent; absent for the chat itself. */
  readonly session?: string;
  readonly callId: string;
}

/** The id by which a call of an agent is shown: ids of calls are unique in one session only, and have no slash. */
export function shownCallId(session: string, callId: string): string {
  return `${session}/${callId}`;
}

/** The call that an id stands for, as it is shown. */
export function callPlace(shown: string): CallPlace {
  const slash = shown.indexOf('/');
  return slash < 0 ? { callId: shown } : { session: shown.slice(0, slash), callId: shown.slice(slash + 1) };
}
