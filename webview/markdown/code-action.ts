/** Event of a code block when one of its buttons is pressed; it bubbles. */
export const CODE_ACTION = 'gnomon-code';

/** Action on the code of a block: insert it at the cursor, or apply it to a file. */
export interface CodeAction {
  readonly action: 'insert' | 'apply';
  readonly text: string;
  /** The file that the block names. */
  readonly path?: string;
}
