/**
 * Request format for fill-in-the-middle: prefix and suffix in separate fields, all in one prompt that is written as the model was
 * taught, or not at all.
 */
export type FillWay = 'suffix' | 'prompt' | 'none';

/** A text that a model continues. */
export interface FillRequest {
  readonly model: string;
  /** The text before the cursor; without {@link suffix} a whole prompt, which goes to the model as it is. */
  readonly prompt: string;
  /** The text behind the cursor. */
  readonly suffix?: string;
  readonly maxTokens: number;
  /** Where the answer ends. */
  readonly stops: readonly string[];
}

/** A model backend that fills in the middle of a text. */
export interface FillProvider {
  /** The request format of a model. Never throws: an unknown model has `none`. */
  way(model: string, signal: AbortSignal): Promise<FillWay>;
  /**
   * Requests the text between prefix and suffix.
   * @throws ProviderError, or AbortError when the signal fired.
   */
  fill(request: FillRequest, signal: AbortSignal): Promise<string>;
}
