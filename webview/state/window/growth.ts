import type { ViewEvent } from '../../../src/protocol/view-event.js';

const GROWTH: ReadonlySet<ViewEvent['type']> = new Set(['delta', 'block_added', 'thinking_done', 'call_output', 'call_result']);

/** Whether an event only lets a row grow, of which its height is heard anyway: nothing need be measured for it. */
export function isGrowth({ type }: ViewEvent): boolean {
  return GROWTH.has(type);
}
