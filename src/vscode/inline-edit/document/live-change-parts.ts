import type { StreamedRecord } from '../../../edits/streamed-recorder.js';
import type { LineRegion } from '../../../inline-edit/line-edit.js';
import type { LineBuffer } from './line-buffer.js';

/** What a replacement of lines works with. */
export interface LiveChangeParts {
  readonly buffer: LineBuffer;
  /** The lines to change: from `start` up to `end`. */
  readonly region: LineRegion;
  /** Whether the document gets the hunks as they come, or they are only shown until they are kept. */
  readonly inPlace: boolean;
  /** Notes the file before the first hunk; `undefined` where nothing is written yet. */
  readonly record: () => Promise<StreamedRecord | undefined>;
  /** Called whenever the hunks are others or elsewhere. */
  readonly changed: () => void;
  /** Called when a hunk could not be made; no more are. */
  readonly failed: (error: unknown) => void;
}
