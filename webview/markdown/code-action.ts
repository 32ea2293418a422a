/** Event of a code block when one of its buttons is pressed; it bubbles. */
export const CODE_ACTION = 'gnomon-code';

/** What a user wants done with the code of a block. */
export interface CodeAction {
  readonly action: 'insert' | 'apply';
  readonly text: string;
  /** The file that the block names. */
  readonly path?: string;
}
