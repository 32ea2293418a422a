import type { Word } from '../words/word.js';

/** Command that a wrapper would run. */
export interface Wrapped {
  /** Doubts about the wrapper itself; absent when it adds no power of its own and need not be listed. */
  readonly self?: readonly string[];
  /** Doubts about all that it runs. */
  readonly doubts: readonly string[];
  /** The commands that it runs, as words. Where it is not certain which, all that it may be. */
  readonly inner: readonly (readonly Word[])[];
  /** Whether it runs a program that only shows the files which its input names, and whether these are split at blanks and quotes. */
  readonly shows?: { readonly split: boolean };
  /** Whether it also runs commands known only at run time. */
  readonly unknown?: boolean;
  /** The texts that it gives to a shell. */
  readonly scripts: readonly string[];
}

/** Parses the words of a wrapper, its name first. `undefined` when it runs nothing this time. */
export type Wrapper = (words: readonly Word[]) => Wrapped | undefined;

/** The most places in a command that are tried as the beginning of another. */
const MAX_GUESSES = 6;

/** Every place behind the name where another command may begin, for wrappers whose options are not known. */
export function guesses(words: readonly Word[]): readonly (readonly Word[])[] {
  const starts = words.flatMap(({ text }, index) => (index > 0 && text?.startsWith('-') !== true && text?.includes('=') !== true ? [index] : []));
  return starts.slice(0, MAX_GUESSES).map((start) => words.slice(start));
}
