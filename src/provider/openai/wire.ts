/** Asks for what comes up to here to be kept in a cache. */
export interface WireMark {
  readonly cache_control: { readonly type: 'ephemeral' };
}

/** Text or a picture of a message. */
export type WirePart =
  | ({ readonly type: 'text'; readonly text: string } & Partial<WireMark>)
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** A call in a message of the model. */
export interface WireCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** Gemini's thought signature. */
  readonly extra_content?: unknown;
}

/** A message of the model. */
export interface WireAssistant {
  readonly role: 'assistant';
  readonly content: string | null;
  readonly tool_calls?: readonly WireCall[];
  /** DeepSeek's name for its reasoning. */
  readonly reasoning_content?: string;
  /** OpenRouter's. */
  readonly reasoning?: string;
  readonly reasoning_details?: readonly unknown[];
}

/** A message of a user. */
export interface WireUser {
  readonly role: 'user';
  readonly content: string | readonly WirePart[];
}

/** The answer of a tool. */
export interface WireTool {
  readonly role: 'tool';
  readonly tool_call_id: string;
  /** Text only. */
  readonly content: string | readonly WirePart[];
}

/** A message in the form of the API, with the fields that servers added to it. */
export type WireMessage = WireAssistant | WireUser | WireTool | { readonly role: 'system' | 'developer'; readonly content: string | readonly WirePart[] };
