import type * as parts from '../../components/servers/parts.js';

let loaded = $state.raw<typeof parts | undefined>();
let loading: Promise<void> | undefined;

/** The components of the servers; `undefined` until {@link loadServerParts} has loaded them. Reactive. */
export function serverParts(): typeof parts | undefined {
  return loaded;
}

/** Loads them, once: most chats never need them. Rejects when their bundle cannot be loaded; the next attempt begins anew. */
export function loadServerParts(): Promise<void> {
  loading ??= import('../../components/servers/parts.js').then(
    (module) => {
      loaded = module;
    },
    (error: unknown) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}
