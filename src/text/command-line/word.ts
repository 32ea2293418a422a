/** A word of a command line, as far as it is known before it runs. */
export interface Word {
  /** As it is written. */
  readonly written: string;
  /** Its value; up to the first unknown part where {@link known} is false. */
  readonly value: string;
  /** Whether {@link value} is all of it. */
  readonly known: boolean;
}

/** A program with its arguments, or a keyword of the shell with what follows it. */
export interface SimpleCommand {
  /** Variable assignments in front of it. */
  readonly assignments: readonly { readonly name: string; readonly value: Word }[];
  readonly words: readonly Word[];
  /** Where its standard input comes from. */
  readonly inputs: readonly Word[];
  /** Files that it writes to. */
  readonly outputs: readonly Word[];
}

/** A word that is known. */
export function knownWord(value: string): Word {
  return { written: value, value, known: true };
}
