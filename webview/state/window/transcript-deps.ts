import type { HeldItems } from './held-items.js';
import type { ReadingPlace } from './reading-place.js';
import type { WorkQueue } from '../connection/work-queue.js';

/** Services of the page that the window of a transcript uses. */
export interface TranscriptDeps {
  readonly held: HeldItems;
  readonly queue: WorkQueue;
  /** Brings the page up to date with the state at once. */
  readonly flush: () => void;
  /** Calls back once all that is in the page is rendered as it will be. */
  readonly whenDrawn: (done: () => void) => void;
  readonly load: (start: number, count: number) => void;
  readonly find: (item: string) => void;
  /** Remembers where the user reads; `undefined` at the end. */
  readonly remember: (place: Omit<ReadingPlace, 'session'> | undefined) => void;
}

/** Where an item is to be in the view. It is kept there until it is rendered, or until the user moves the view. */
export interface Place {
  readonly item: string;
  /** Pixels from the top of the view to the top of the item. */
  readonly offset: number;
  /** Whether it is to stand out. */
  readonly marked?: boolean;
}
