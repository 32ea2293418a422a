import type { ViewEvent } from '../../../src/protocol/view-event.js';

type Growing = Extract<ViewEvent, { type: 'delta' | 'call_output' }>;

/** The same events with text that follows on text of the same block joined: what is applied once costs once. */
export function mergeDeltas(events: readonly ViewEvent[]): readonly ViewEvent[] {
  const merged: ViewEvent[] = [];
  let run: Growing[] = [];
  const close = (): void => {
    const [first] = run;
    if (first !== undefined) merged.push({ ...first, delta: run.map(({ delta }) => delta).join('') });
    run = [];
  };
  for (const event of events) {
    const grows = event.type === 'delta' || event.type === 'call_output';
    if (!grows || !goesOn(run[0], event)) close();
    if (grows) run.push(event);
    else merged.push(event);
  }
  close();
  return merged;
}

function goesOn(first: Growing | undefined, event: Growing): boolean {
  return first?.type === event.type && first.item === event.item && first.block === event.block;
}
