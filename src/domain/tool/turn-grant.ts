import type { ConfigOrigin } from '../config/origin.js';

/**
 * Rules that a skill or a command requests for the turn in which it is used (`allowed-tools`). They allow nothing on their own:
 * it counts where the user has approved exactly this list of exactly this file.
 */
export interface TurnGrant {
  readonly kind: 'skill' | 'command';
  /** The name in its file, without a slash. */
  readonly name: string;
  readonly origin: ConfigOrigin;
  /** Allow rules, as they are written. */
  readonly rules: readonly string[];
  /** SHA-256 of the whole text of the file, in hexadecimal. */
  readonly digest: string;
}
