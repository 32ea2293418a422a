import { type Word, baseName, literal } from '../words/word.js';
import { ENVIRONMENT_WRAPPERS, TRANSPARENT_WRAPPERS } from './transparent.js';
import { RUNNER_WRAPPERS } from './runners.js';
import { SHELL_WRAPPERS } from './shells.js';
import type { Wrapped, Wrapper } from './wrapped.js';

const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map([...TRANSPARENT_WRAPPERS, ...ENVIRONMENT_WRAPPERS, ...SHELL_WRAPPERS, ...RUNNER_WRAPPERS]);

/** The command that a wrapper runs; `undefined` when it is not known to run anything. */
export function unwrap(words: readonly Word[]): Wrapped | undefined {
  return WRAPPERS.get(baseName(literal(words[0]) ?? ''))?.(words);
}

/**
 * All programs that are known to run others.
 * @internal for comparing what is known with the programs
 */
export function wrapperNames(): readonly string[] {
  return [...WRAPPERS.keys()];
}
