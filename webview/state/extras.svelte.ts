import type * as parts from '../components/panel/extras.js';

let loaded = $state.raw<typeof parts | undefined>();

/** The parts of the chat that load after its first paint; `undefined` until they are there. Reactive. */
export function extras(): typeof parts | undefined {
  return loaded;
}

/** Loads them. Rejects when their bundle cannot be loaded. */
export async function loadExtras(): Promise<void> {
  loaded = await import('../components/panel/extras.js');
}
