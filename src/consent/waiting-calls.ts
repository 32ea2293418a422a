import type { ViewState, ViewToolCall } from '../protocol/view-state.js';

/** A call that continues only when the user has done something, or what an MCP server asks. */
export interface WaitingCall {
  readonly id: string;
  readonly kind: 'permission' | 'question' | 'server';
}

/** What waits for the user beside the calls of conversations: what MCP servers ask. */
export interface AskedBesides {
  /** What is asked in a conversation, oldest first. */
  of(session: string): readonly WaitingCall[];
  /** Calls back after each change. Returns how to stop that. */
  onDidChange(listener: () => void): () => void;
}

/** Where nothing is asked. */
export const NOTHING_BESIDES: AskedBesides = { of: () => [], onDidChange: () => () => undefined };

/** The calls of a conversation that wait for the user, in the order in which they are shown. */
export function waitingCalls({ activity, items }: ViewState): readonly WaitingCall[] {
  if (activity === 'idle') return [];
  const answer = items.findLast((item) => item.kind === 'answer');
  return (answer?.blocks ?? []).flatMap((block) => (block.type === 'tool' ? waitOf(block.call) : []));
}

function waitOf({ id, status, preview }: ViewToolCall): readonly WaitingCall[] {
  if (status === 'awaiting_approval') return [{ id, kind: 'permission' }];
  return status === 'running' && preview?.kind === 'question' ? [{ id, kind: 'question' }] : [];
}
