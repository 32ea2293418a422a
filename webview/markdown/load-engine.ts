import type * as engine from './engine.js';

type Engine = typeof engine;

let loading: Promise<Engine> | undefined;
let loaded: Engine | undefined;

/** Loads the Markdown engine once. Rejects when its bundle cannot be loaded; the next call tries again. */
export async function loadEngine(): Promise<Engine> {
  loading ??= import('./engine.js');
  try {
    loaded = await loading;
    return loaded;
  } catch (error) {
    loading = undefined;
    throw error;
  }
}

/** The engine if it is there. */
export function engineIfLoaded(): Engine | undefined {
  return loaded;
}
