import type { ViewState, ViewToolCall } from '../../protocol/view-state.js';

/** A call that continues only when the user has done something. */
export interface WaitingCall {
  readonly id: string;
  readonly kind: 'permission' | 'question';
}

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
