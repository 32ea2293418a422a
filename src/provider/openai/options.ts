import type { RequestLog } from '../http/request-log.js';
import type { Preset } from './models/presets.js';

/** Where the provider gets what it needs; asked again for every request, so that a change takes effect at once. */
export interface OpenAiOptions {
  /** Name of the provider, also the first half of its models' names and the middle of its settings. */
  readonly name: string;
  /** The server it is, or the one it is most like. */
  readonly preset: Preset;
  /**
   * The API key; `undefined` when there is none. It is sent to the endpoint and to nothing else.
   * @param name which of several; default: the one that the provider uses
   */
  apiKey(name?: string): Promise<string | undefined>;
  /** Which of several keys a model uses, `''` for the list of models; `undefined` where there is only one. */
  keyName?(model: string): Promise<string | undefined>;
  /** Address of the endpoint; `undefined` is the preset's. */
  baseUrl(): string | undefined;
  /** Headers beside the usual ones, such as those of a gateway. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The time of messages, as RFC 3339. Default: the system's. */
  readonly now?: () => string;
  /** Where requests are noted for the user. Default: nowhere. */
  readonly requests?: RequestLog;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
}
