import type { Host } from '../connection/host.js';
import { type ResourceNames, resourcesIn } from './mention-chips.js';

/** Names of the resources that a text mentions, from the host. */
export class ResourceNamesState {
  names = $state.raw<ResourceNames>(new Map());
  private readonly asked = new Set<string>();

  constructor(private readonly host: Host) {}

  /** Asks for what is not known of a text yet. */
  look(text: string): void {
    const unknown = resourcesIn(text).filter((mention) => !this.asked.has(mention));
    if (unknown.length === 0) return;
    for (const mention of unknown) this.asked.add(mention);
    this.host.post({ type: 'name_mentions', mentions: unknown });
  }

  /** Takes the answer of the host. */
  found(names: readonly { readonly mention: string; readonly name: string }[]): void {
    this.names = new Map([...this.names, ...names.map(({ mention, name }) => [mention, name] as const)]);
  }

  /** The servers are others by now: all is asked for again. What was known stays until it is answered. */
  forget(): void {
    this.asked.clear();
  }
}
