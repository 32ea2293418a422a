/**
 * The API of Gnomon for other VS Code extensions, version 1.
 *
 * This file stands alone: copy it into another extension, or take `dist/api/gnomon-api.d.ts` from Gnomon's package.
 * docs/extension-api.md explains it with an example. Everything that crosses it is plain data. Later versions 1.x only add:
 * ignore events, states and fields that are not known.
 */

/** What Gnomon's `activate` returns: `await vscode.extensions.getExtension('gnomon.gnomon').activate()`. */
export interface GnomonExports {
  /** The newest version of the API that is offered, such as `1.0.0`. */
  readonly apiVersion: string;
  /**
   * Gives the API.
   * @param version the version that the caller was written for: 1.
   * @param extensionId the caller's own `context.extension.id`. It names what the caller does to the user. It is a label
   *   and no proof, as VS Code does not say who calls.
   * @throws GnomonApiError `version` for a version that is not offered, `caller` for an extension that is not installed.
   */
  getApi(version: 1, extensionId: string): GnomonApi;
}

/** Version 1 of the API. Nothing of Gnomon is loaded before the first of these is called. */
export interface GnomonApi {
  /**
   * Starts a session: an ordinary conversation of this window, in the list of the chat as soon as it has a message.
   * @throws GnomonApiError `invalid`, `mode`, or `limit` when too many sessions of the extension are open.
   * @throws Error for a model that there is not, or when none is set up.
   */
  startSession(options?: GnomonSessionOptions): Promise<GnomonSession>;
  /** The sessions that the extension has started in this window and not closed. */
  listSessions(): Promise<readonly GnomonSession[]>;
  /**
   * One of {@link GnomonApi.listSessions} by its id.
   * @throws GnomonApiError `not_yours` for every other session: those of the user are out of reach.
   */
  openSession(id: string): Promise<GnomonSession>;
  /**
   * Offers a tool to the model, in all sessions of this window from their next message on. Disposing takes it back.
   * @throws GnomonApiError `invalid` for what does not fit, `limit` when the extension has too many tools.
   */
  registerTool<Input = unknown>(tool: GnomonTool<Input>): Promise<GnomonRegisteredTool>;
  /**
   * Offers an MCP server that runs inside the extension. It is listed with the other MCP servers of the window, and each call of its tools
   * asks. Disposing takes it back and ends its connections. Since 1.1.0.
   * @throws GnomonApiError `invalid` for what does not fit, `limit` when the extension has too many servers.
   */
  registerMcpServer(server: GnomonMcpServer): Promise<GnomonDisposable>;
}

/** How much may be done without asking the user; `plan` only reads, `ask` asks for everything. */
export type GnomonMode = 'plan' | 'ask' | 'default' | 'acceptEdits';

/** How a session is started. */
export interface GnomonSessionOptions {
  /** As the user names conversations. Default: from the first message. */
  readonly title?: string;
  /** `provider/model`. Default: the user's. */
  readonly model?: string;
  /** Default: the user's. One that allows more than the user's is not taken: the session then has the user's. */
  readonly mode?: GnomonMode;
  /** The names of the only tools that the session has, such as `read`, or the full name of a registered one. Default: all. */
  readonly tools?: readonly string[];
  /** Whether the chat shows the session at once. Default: `false`. */
  readonly show?: boolean;
}

/** A message to a session. */
export interface GnomonMessageInput {
  /** The text. Its `@` mentions are resolved, as in the chat. */
  readonly text: string;
  /** Files to attach, with the same checks as files that a user mentions. */
  readonly files?: readonly GnomonFile[];
  /** Other texts to attach, such as a selection or a report. */
  readonly attachments?: readonly GnomonAttachment[];
}

/** A file, or lines of it. */
export interface GnomonFile {
  /** Absolute, or relative to a workspace folder. */
  readonly path: string;
  /** From 1. Default: the whole file. */
  readonly firstLine?: number;
  /** Included. Default: `firstLine` alone. */
  readonly lastLine?: number;
}

/** A text that goes with a message. */
export interface GnomonAttachment {
  /** How it is listed under the message. */
  readonly name: string;
  readonly text: string;
}

/** A session that the extension has started. */
export interface GnomonSession {
  readonly id: string;
  readonly title: string;
  /** `provider/model` of the next answer; the user can change it. */
  readonly model: string;
  /** The permission mode now; the user can change it. `bypassPermissions` only ever by their hand. */
  readonly mode: GnomonMode | 'bypassPermissions';
  /**
   * `waiting` while a permission prompt is open; `closed` for good. Since 1.2.0, agents that work for the session count, too: while one of them
   * works it is not `idle`, and while one waits for the user it is `waiting`.
   */
  readonly state: 'idle' | 'running' | 'waiting' | 'closed';
  /**
   * Says something. While a turn runs the message waits in the queue of the chat, where the user can take it out.
   * @returns `sent` when it is recorded and its turn begins, `queued` when it waits.
   * @throws GnomonApiError `closed` or `invalid`.
   */
  send(message: string | GnomonMessageInput): Promise<'sent' | 'queued'>;
  /** Stops the turn that runs, if any. What arrived is kept. */
  cancel(): void;
  /** Listens to what happens. A listener that throws is logged and disturbs nothing. */
  onEvent(listener: (event: GnomonEvent) => void): GnomonDisposable;
  /** The conversation so far. */
  messages(): readonly GnomonMessage[];
  /** Tokens of the session so far, with those of its agents. Since 1.2.0. */
  readonly usage: GnomonUsage;
  /** US dollars of the session so far, with what its agents cost; `undefined` when a model's price is not known. Since 1.2.0. */
  readonly costUsd: number | undefined;
  /** The agents that work, or have worked, on parts of the task, in the order in which they were started. Since 1.2.0. @throws GnomonApiError `closed`. */
  agents(): Promise<readonly GnomonAgent[]>;
  /**
   * Stops agents, with those that they have started; {@link GnomonSession.cancel} spares those in the background. What they said is kept. Since 1.2.0.
   * @param id of one of them; absent: all.
   * @throws GnomonApiError `closed`, or `invalid` when there is no such agent.
   */
  stopAgents(id?: string): Promise<void>;
  /** Shows the session in the chat. @throws GnomonApiError `closed`. */
  show(): Promise<void>;
  /** Releases the session at once; a turn that runs continues to its end. The conversation stays in the chat history. May be called more than once. */
  close(): Promise<void>;
}

/** What happens in a session, in this order within a turn. Ignore types that are not known: there will be more. */
export type GnomonEvent =
  /** A message was recorded, of the extension or of the user. */
  | { readonly type: 'turn_started'; readonly text: string }
  /** The user said something while the turn ran; it goes to the model with what is asked next. */
  | { readonly type: 'message_added'; readonly text: string }
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'thinking'; readonly delta: string }
  /** A tool call is in another state. `subject` describes it briefly, empty until it is known. */
  | { readonly type: 'tool_call'; readonly callId: string; readonly tool: string; readonly subject: string; readonly state: GnomonCallState }
  /** The user is asked whether a call may run. Only they can answer. `agent` is the id of a {@link GnomonAgent} whose call it is (since 1.2.0). */
  | { readonly type: 'permission_requested'; readonly callId: string; readonly tool: string; readonly subject: string; readonly reasons: readonly string[] }
  /** They answered, or the turn was stopped. */
  | { readonly type: 'permission_resolved'; readonly callId: string; readonly allowed: boolean; readonly agent?: string }
  /** Agents of the session have other facts, see {@link GnomonSession.agents}; at most ten times a second. Since 1.2.0. */
  | { readonly type: 'agents_changed' }
  | { readonly type: 'turn_ended'; readonly turn: GnomonTurn }
  /** The last event: by {@link GnomonSession.close}, or because the user deleted it or another window has it. */
  | { readonly type: 'closed' };

/** An agent that works on a part of a session's task, in a context of its own. Since 1.2.0. */
export interface GnomonAgent {
  /** Such as `agent-3`; unique in its session. */
  readonly id: string;
  /** Id of the agent that has started it; absent: the session has. */
  readonly parent?: string;
  /** Name of what it was started as, such as `explore`. */
  readonly type: string;
  /** Its work in a few words, as the model has put it. */
  readonly task: string;
  /** `provider/model`; empty until it begins. */
  readonly model: string;
  /** `queued` until there is a place for it; `waiting` for the user; `interrupted` when its window was closed while it worked; the others are ends. */
  readonly state: 'queued' | 'working' | 'waiting' | 'interrupted' | 'completed' | 'failed' | 'cancelled';
  /** Whether who has started it does not wait for it. */
  readonly background: boolean;
  /** Requests to its model. */
  readonly rounds: number;
  readonly usage: GnomonUsage;
  /** US dollars; absent when a model's price is not known. */
  readonly costUsd?: number;
  /** Why it failed. */
  readonly problem?: string;
}

/** The life of a tool call; the last four are ends. */
export type GnomonCallState = 'pending' | 'awaiting_permission' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled';

/** What one turn did. */
export interface GnomonTurn {
  /**
   * `done`; `stopped` on request; `length`: the answer reached the model's limit; `limit`: one of Gnomon's own limits,
   * such as rounds or spending; `failed`, with `error`.
   */
  readonly end: 'done' | 'stopped' | 'length' | 'limit' | 'failed';
  /** The text of the last answer. */
  readonly text: string;
  /** Error message for the user. */
  readonly error?: string;
  readonly usage: GnomonUsage;
  /** US dollars; absent when a model's price is not known. */
  readonly costUsd?: number;
  /** Requests to the model. */
  readonly rounds: number;
  readonly durationMs: number;
}

/** Tokens. All input is the sum of the first, third and fourth. */
export interface GnomonUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
}

/** A message of a conversation. */
export type GnomonMessage =
  | { readonly role: 'user'; readonly text: string; readonly attached: readonly string[]; readonly time: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls: readonly GnomonCall[]; readonly time: string }
  | { readonly role: 'tool'; readonly callId: string; readonly tool: string; readonly text: string; readonly isError: boolean; readonly time: string };

/** A call that the model made. */
export interface GnomonCall {
  readonly callId: string;
  readonly tool: string;
  /** The arguments as the model wrote them: JSON text, cut off when the answer was. */
  readonly input: string;
}

/** A tool for the model. The user is asked before each call, unless a rule of theirs or the mode that they chose allows it. */
export interface GnomonTool<Input = unknown> {
  /** Letters, digits and single `_`, such as `count_words`. The model sees it behind the extension's id. */
  readonly name: string;
  /** What it does and when it is of use, for the model. */
  readonly description: string;
  /** A JSON Schema of type `object`. Input that does not fit it never reaches `execute`. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Whether it changes nothing. It may then be asked about in plan mode, too; the question is never left out for that. */
  readonly readOnly?: boolean;
  /** Runs a call that was allowed. An exception is reported to the model as the failure of the call. */
  execute(input: Input, context: GnomonToolContext): GnomonToolResult | string | Promise<GnomonToolResult | string>;
}

/** What a tool is given beside its input. */
export interface GnomonToolContext {
  /** Aborted when the user stops the turn. */
  readonly signal: AbortSignal;
  readonly sessionId: string;
}

/** Result of a tool; a string alone is a result without an error. */
export interface GnomonToolResult {
  /** For the model. Cut off when it is very long. */
  readonly text: string;
  /** Whether the tool failed. */
  readonly isError?: boolean;
}

/** A tool that is offered. */
export interface GnomonRegisteredTool extends GnomonDisposable {
  /** Its full name, as in rules of permission and in {@link GnomonSessionOptions.tools}, such as `ext__acme_words__count_words`. */
  readonly name: string;
}

/** An MCP server inside an extension. It is one program for all connections; there is one at a time, and another after each restart. */
export interface GnomonMcpServer {
  /** How the user knows it, and a part of the names of its tools: letters and digits, with single `_` and `-` between them, at most 40. */
  readonly name: string;
  /**
   * Takes a message of JSON-RPC from the client, in UTF-8, of any revision of the protocol from 2024-11-05 to 2026-07-28. The message that it
   * returns, or resolves with, is sent back: a string, or bytes in UTF-8; `undefined` sends nothing, as for a notification, or when the answer is
   * sent later. When it throws, the client gets an error in place of an answer.
   */
  handleMessage(message: Uint8Array, connection: GnomonMcpConnection): unknown;
  /** A connection has ended: by the user, with the window, or by disposing. */
  close(): unknown;
}

/** The other end of a connection with a server. */
export interface GnomonMcpConnection {
  /** Sends a message of JSON-RPC to the client. Does nothing once the connection has ended. @throws GnomonApiError `invalid` or `limit` */
  send(message: string | Uint8Array): void;
}

/** Something that can be ended. Fits `context.subscriptions`. */
export interface GnomonDisposable {
  dispose(): void;
}

/** What calls are refused with. `message` is for developers. */
export interface GnomonApiError extends Error {
  readonly name: 'GnomonApiError';
  readonly code: 'version' | 'caller' | 'invalid' | 'mode' | 'limit' | 'not_yours' | 'closed';
}
