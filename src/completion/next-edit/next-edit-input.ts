import type { LineReplacement } from './line-replacement.js';

/** An edit that a model is notified of. */
export interface ToldEdit extends Pick<LineReplacement, 'before' | 'after'> {
  /** Path of the document in the prompt. */
  readonly path: string;
}

/** Something that a language server says of a line. */
export interface Finding {
  /** Counted from 0. */
  readonly line: number;
  readonly text: string;
}

/** All that the next edit is guessed from. */
export interface NextEditInput {
  readonly path: string;
  /** Language of the document as VS Code names it. */
  readonly language: string;
  readonly lines: readonly string[];
  /** Line of the cursor, from 0. */
  readonly cursor: number;
  /** The edit that the user has just made in this document. */
  readonly latest: LineReplacement;
  /** Edits of the user, the latest last; {@link latest} is the last of them. */
  readonly edits: readonly ToldEdit[];
  readonly findings: readonly Finding[];
}
