/**
 * How a model is asked to fill in the middle: text before and behind apart, all in one prompt that is written as the model was
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
  /** How a model is asked. Never throws: what is not known is `none`. */
  way(model: string, signal: AbortSignal): Promise<FillWay>;
  /**
   * What the model writes.
   * @throws ProviderError, or AbortError when the signal fired.
   */
  fill(request: FillRequest, signal: AbortSignal): Promise<string>;
}
