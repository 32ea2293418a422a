/** Piece of a Markdown text, in order, as it streams. A piece never changes later. */
export type Piece =
  /** A whole block with its source, or a part of a long one. */
  | ({ readonly type: 'block' } & BlockSource)
  /** A fenced code block begins; its text follows in `code_text`. `info` is the info string after its language. */
  | { readonly type: 'code_open'; readonly language: string; readonly info?: string }
  | { readonly type: 'code_text'; readonly text: string }
  | { readonly type: 'code_close' }
  /** A block too big and too entangled to be parsed; its source follows as `plain_text`. */
  | { readonly type: 'plain_open' }
  | { readonly type: 'plain_text'; readonly text: string }
  | { readonly type: 'plain_close' };

/** Source of a block. */
export interface BlockSource {
  readonly source: string;
  /** Whether it continues with the block before it: a list, table or paragraph that was cut because of its length. */
  readonly continued: boolean;
  /** Number of the first entry, for a part of an ordered list. */
  readonly start?: number;
}
