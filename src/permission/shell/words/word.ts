import type { ShellNode } from '../grammar/shell-node.js';

/** Part of a word that is known only at run time: nothing, a plain value, or something that can itself act. */
export type Risk = 'none' | 'plain' | 'risky';

/** A part of a word as written. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'variable'; readonly name: string; readonly quoted: boolean }
  | { readonly kind: 'unknown'; readonly risk: Risk };

/** A word as written. */
export interface RawWord {
  readonly start: number;
  readonly end: number;
  readonly pieces: readonly Piece[];
  /** Expansions in it. */
  readonly expansions: readonly ShellNode[];
}

/** A word as the shell makes it. */
export interface Word {
  readonly start: number;
  readonly end: number;
  /** `undefined` when it is known only at run time. */
  readonly text: string | undefined;
  /** Its beginning, up to the part known only at run time. */
  readonly beginning: string;
  readonly risk: Risk;
  /** Other possible values or endings, by the texts in its expansions: `${X:-.env}`. */
  readonly maybe?: readonly string[];
  /** Its texts behind parts known only at run time: `/.env` in `$X/.env`. */
  readonly behind?: readonly string[];
  /** Index in the text of the first character of a file pattern, -1 when there is none. */
  readonly glob: number;
}

/** The text of a word when it is known and literal, not a file pattern. */
export function literal(word: Word | undefined): string | undefined {
  return word === undefined || word.glob >= 0 ? undefined : word.text;
}

/** The last name in the path of a program: `curl` for `/usr/bin/curl`. */
export function baseName(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}
