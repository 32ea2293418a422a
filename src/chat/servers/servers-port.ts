import type { McpQuestionAnswer } from '../../domain/mcp/request.js';
import type { ImageMimeType } from '../../domain/model/content.js';
import type { ViewElicitation } from '../../protocol/elicitation.js';
import type { ServerAction, ServerBudget, ServerConsent, ServerDetails, ServerImport, ServerInspection, ServersView } from '../../protocol/servers.js';

/** A picture of a server, downloaded and checked: a page shows nothing of a server that is not one of these kinds. */
export interface ServerIcon {
  readonly mimeType: ImageMimeType;
  readonly data: Uint8Array;
}

/**
 * The MCP servers of this window, as the servers view shows them and what it can do about them. Servers are named by their id;
 * whatever names one that is not there does nothing, since a page may be a moment behind. What fails rejects, with a message
 * for the user.
 */
export interface ServersPort {
  /** What is shown now. @param session the chat whose results are counted */
  view(session: string): ServersView;
  /** Calls back at most every 100 ms while anything of a view or of the elicitations changes. Returns how to stop that. */
  readonly onDidChange: (listener: () => void) => () => void;
  /** Starts all that may start: the user is about to need them. */
  want(): void;
  /** Returns what to tell the user; nothing where the view itself shows what came of it. */
  act(id: string, action: ServerAction): Promise<string | undefined>;
  details(id: string): Promise<ServerDetails | undefined>;
  /** What it would do when it starts, all variables of its configuration named; absent when there is nothing to approve. */
  consent(id: string): Promise<ServerConsent | undefined>;
  /** Approves it and starts it. Rejects when it is another one by now than `hash` names, or the workspace is not trusted. */
  approve(id: string, hash: string): Promise<void>;
  switchTool(id: string, tool: string, on: boolean): Promise<void>;
  /** Accepts a changed tool. Rejects when it is another one by now than `hash` names. */
  acceptTool(id: string, tool: string, hash: string): Promise<void>;
  setBudget(id: string, budget: ServerBudget): Promise<void>;
  inspection(id: string): ServerInspection | undefined;
  /** The text of a message that the inspection names, scrubbed of secrets. */
  message(id: string, seq: number): string | undefined;
  icon(id: string): Promise<ServerIcon | undefined>;
  /** Looks into the configuration of other programs. */
  imports(): Promise<readonly ServerImport[]>;
  /** Takes servers over into Gnomon's configuration; none of them starts by that. Returns what to tell the user. */
  import(keys: readonly string[]): Promise<string | undefined>;
  /** Opens the place to add a server to. */
  add(to: 'workspace' | 'user'): Promise<void>;
  openProblem(id: string): Promise<void>;
  /** All that servers ask the user for in a chat, and want its model to answer, oldest first. */
  elicitations(session: string): readonly ViewElicitation[];
  answer(id: string, answer: McpQuestionAnswer): void;
}

/** A window without any servers. */
export const NO_SERVERS: ServersPort = {
  view: () => ({ trusted: true, servers: [], problems: [], left: { servers: 0, problems: 0 } }),
  onDidChange: () => () => undefined,
  want: () => undefined,
  act: () => Promise.resolve(undefined),
  details: () => Promise.resolve(undefined),
  consent: () => Promise.resolve(undefined),
  approve: () => Promise.resolve(),
  switchTool: () => Promise.resolve(),
  acceptTool: () => Promise.resolve(),
  setBudget: () => Promise.resolve(),
  inspection: () => undefined,
  message: () => undefined,
  icon: () => Promise.resolve(undefined),
  imports: () => Promise.resolve([]),
  import: () => Promise.resolve(undefined),
  add: () => Promise.resolve(),
  openProblem: () => Promise.resolve(),
  elicitations: () => [],
  answer: () => undefined,
};
