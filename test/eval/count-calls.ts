import type { AgentSession } from '../../src/engine/agent-session.js';

/** How the tool calls of a run ended. */
export interface CallCounts {
  readonly toolCalls: number;
  /** Calls that could not be done: unknown tools, wrong arguments, edits of a place that is not there, denied calls. */
  readonly toolErrors: number;
  /** Commands that ran and ended badly, as the tests of broken code do. These are no errors of the agent. */
  readonly failedCommands: number;
}

/** Counts the calls of a session from now on. Returns what gives the counts. */
export function countCalls(session: AgentSession): () => CallCounts {
  const counts = { toolCalls: 0, toolErrors: 0, failedCommands: 0 };
  session.onEvent((event) => {
    if (event.type === 'tool_result') counts.toolCalls += 1;
    if (event.type !== 'tool_call') return;
    const { state } = event;
    if (state.status === 'failed' && state.plan?.tool === 'bash') counts.failedCommands += 1;
    else if (state.status === 'failed' || state.status === 'denied') counts.toolErrors += 1;
  });
  return () => ({ ...counts });
}
