/** Text of a message: Markdown in answers. */
export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

/** Reasoning of the model. */
export interface ThinkingContent {
  readonly type: 'thinking';
  readonly thinking: string;
  /** Base64, empty where the model gave none. */
  readonly signature: string;
}

/** Reasoning that only its provider can read. */
export interface RedactedThinkingContent {
  readonly type: 'redacted_thinking';
  /** Base64. */
  readonly data: string;
}

/** A picture. */
export interface ImageContent {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: string; readonly data: string };
}

/** A call of a tool. */
export interface ToolUseContent {
  readonly type: 'tool_use';
  /** Names the call in `tool_result` and in permission requests. */
  readonly id: string;
  /** As Claude Code names tools, such as `Bash`. */
  readonly name: string;
  /** The arguments; `{unparsed_arguments: string}` where the model wrote no JSON object. */
  readonly input: Readonly<Record<string, unknown>>;
}

/** What a tool gave back. */
export interface ToolResultContent {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content: string | readonly ContentBlock[];
  /** `true` for a call that failed or was denied; absent else. */
  readonly is_error?: boolean;
}

/** A block of a type that this version does not know, as it came. */
export interface UnknownContent {
  readonly type: 'unknown';
  readonly raw: Readonly<Record<string, unknown>>;
}

/** A block of a message. Only those of type `unknown` have a shape that is not known. */
export type ContentBlock = TextContent | ThinkingContent | RedactedThinkingContent | ImageContent | ToolUseContent | ToolResultContent | UnknownContent;

/** What a message of the user can be made of. Pictures: png, jpeg, gif, and webp, of 5 MB at most. */
export type UserBlock = TextContent | ImageContent;

/** A message of the user, as it is sent. */
export interface UserFrame {
  readonly type: 'user';
  readonly message: {
    readonly role: 'user';
    /** Not empty. */
    readonly content: string | readonly UserBlock[];
  };
  readonly parent_tool_use_id?: null;
  readonly session_id?: string;
  /** Names the message, for `rewindFiles`; of all messages of a session, none may have the same. At most 200 characters. */
  readonly uuid?: string;
}
