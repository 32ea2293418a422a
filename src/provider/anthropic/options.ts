/** Where the provider gets what it needs; asked again for every request, so that a change takes effect at once. */
export interface AnthropicOptions {
  /** The API key; `undefined` when there is none. It is given to the SDK's client and to nothing else. */
  apiKey(): Promise<string | undefined>;
  /** Address of the endpoint; `undefined` is Anthropic itself. */
  baseUrl(): string | undefined;
  /** The time of messages, as RFC 3339. Default: the system's. */
  readonly now?: () => string;
  /** Default: the platform's. */
  readonly fetch?: typeof fetch;
}
