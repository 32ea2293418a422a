import type { JsonSchema } from '../tool/tool.js';

/** An icon that a server offers for itself or a tool. `src` is an `https:` or `data:` address. */
export interface McpIcon {
  readonly src: string;
  readonly mimeType?: string;
  readonly sizes?: readonly string[];
}

/** Effects of a tool as its server declares them. They never replace an approval. */
export interface McpAnnotations {
  readonly readOnly?: boolean;
  readonly destructive?: boolean;
  readonly idempotent?: boolean;
  readonly openWorld?: boolean;
}

/** A tool as its server lists it. All of it is text from outside. */
export interface McpToolInfo {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: McpAnnotations;
  readonly icons?: readonly McpIcon[];
}

/** A part of a result, a prompt or a resource. `data` and `blob` are Base64 as the server sent it, not checked. */
export type McpBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  /** Something that can be read with `resources/read`. */
  | { readonly type: 'resource_link'; readonly resource: McpResource }
  | { readonly type: 'resource'; readonly contents: McpContents };

/** The content of a resource. */
export interface McpContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

/** Result of a tool call. */
export interface McpCallResult {
  readonly content: readonly McpBlock[];
  /** Any JSON value; present only if the server sent one. */
  readonly structured?: unknown;
  /** Why `structured` is not what the tool's `outputSchema` promises; absent when it is, or there is no schema. */
  readonly mismatch?: string;
  readonly isError: boolean;
}

/** Something that a server has to read. */
export interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  /** Bytes. */
  readonly size?: number;
}

/** Resources whose addresses follow a pattern (RFC 6570). */
export interface McpResourceTemplate extends Omit<McpResource, 'uri' | 'size'> {
  readonly uriTemplate: string;
}

/** A text that a server has prepared, with blanks to fill in. */
export interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly McpPromptArgument[];
}

/** A blank in a prompt; its value is always text. */
export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

/** A message of a prompt. */
export interface McpPromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: McpBlock;
}

/** Prompt or template that an argument belongs to, for completion requests. */
export type McpCompletionRef = { readonly type: 'prompt'; readonly name: string } | { readonly type: 'template'; readonly uriTemplate: string };

/** Result of a list request: all pages that were read, even if a later one failed. */
export interface McpListed<Item> {
  readonly items: readonly Item[];
  /** Problems with the list, as sentences for the user: a cursor that repeats, too many pages, an item that was left out. */
  readonly warnings: readonly string[];
}
