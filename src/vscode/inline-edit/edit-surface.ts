/** How far an edit in place is. */
export type EditStage =
  /** The person may say what should change. */
  | 'asking'
  /** A model is at work on it. */
  | 'running'
  /** Changes wait to be kept or undone, and the person may say what should be different. */
  | 'pending';

/** Where the person sees how far an edit is. */
export interface EditSurface {
  /** Shows it, in a sentence. */
  show(stage: EditStage, words: string): void;
  /** Takes it away. */
  close(): void;
}
