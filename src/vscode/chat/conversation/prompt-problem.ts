import type { ViewEvent } from '../../../protocol/view-event.js';
import type { ViewState } from '../../../protocol/view-state.js';

/** What says in an open prompt why its answer was not taken, so that it can be given again; `undefined` when none is open. */
export function withProblem({ items }: ViewState, callId: string, problem: string): ViewEvent | undefined {
  for (const item of items.toReversed()) {
    if (item.kind !== 'answer') continue;
    const block = item.blocks.findIndex((each) => each.type === 'tool' && each.call.id === callId);
    const found = item.blocks[block];
    if (found?.type !== 'tool' || found.call.approval === undefined) continue;
    return { type: 'call', item: item.id, block, call: { ...found.call, approval: { ...found.call.approval, problem } } };
  }
  return undefined;
}
