import type { Host } from './connection/host.js';

/** Conversations of which it is remembered. */
const MAX_SESSIONS = 20;

/** What the user does not want to see in each conversation, by a key that is another one when there is something new. It outlives the page. */
export class Dismissed {
  private keys = $state.raw<Readonly<Record<string, string>>>({});

  /** @param name under which the page stores it */
  constructor(
    private readonly host: Host,
    private readonly name: string,
  ) {
    this.keys = stored(host.getState(), name);
  }

  has(session: string, key: string): boolean {
    return this.keys[session] === key;
  }

  add(session: string, key: string): void {
    const others = Object.entries(this.keys).filter(([id]) => id !== session);
    const all: readonly (readonly [string, string])[] = [...others, [session, key]];
    this.keys = Object.fromEntries(all.slice(-MAX_SESSIONS));
    this.host.setState({ [this.name]: this.keys });
  }
}

function stored(state: unknown, name: string): Readonly<Record<string, string>> {
  const keys: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, name) : undefined;
  if (typeof keys !== 'object' || keys === null) return {};
  return Object.fromEntries(Object.entries(keys).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
