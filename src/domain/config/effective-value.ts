import type { ConfigOrigin, Overridden } from './origin.js';

/** What counts of a setting, and why. */
export interface EffectiveValue {
  /** As VS Code names the setting, such as `gnomon.model`. */
  readonly key: string;
  readonly value: unknown;
  /** Who set it; absent: as it comes. */
  readonly origin?: ConfigOrigin;
  /** What lost against it, with its value, also where it was refused. */
  readonly overridden: readonly (Overridden & { readonly value?: unknown })[];
}
