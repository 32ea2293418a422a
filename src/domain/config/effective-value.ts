import type { ConfigOrigin, Overridden } from './origin.js';

/** Effective value of a setting, with its source. */
export interface EffectiveValue {
  /** As VS Code names the setting, such as `gnomon.model`. */
  readonly key: string;
  readonly value: unknown;
  /** Source of the value; absent: the default. */
  readonly origin?: ConfigOrigin;
  /** Values that it overrides, including those that were refused. */
  readonly overridden: readonly (Overridden & { readonly value?: unknown })[];
}
