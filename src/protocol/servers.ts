import { MCP_TRANSPORTS } from '../domain/mcp/config.js';
import { MCP_STATUSES, type McpWait } from '../domain/mcp/server.js';
import { type Of, anyText, count, fields, flag, listOf, oneOf, optional } from './shape.js';

/** Reasons why a server is `pending`. */
const MCP_WAITS = ['trust', 'approval', 'changed', 'agent', 'input', 'start', 'connecting', 'restart'] as const satisfies readonly McpWait[];

/** When the definitions of a server's tools are sent: as many tokens allow, once a search found them, with every request, or never. */
export const SERVER_BUDGETS = ['auto', 'defer', 'always', 'off'] as const;
/** One of {@link SERVER_BUDGETS}. */
export type ServerBudget = (typeof SERVER_BUDGETS)[number];

/** Actions of a server without further arguments. Others have requests of their own. */
export const SERVER_ACTIONS = [
  'start',
  'stop',
  'restart',
  'enable',
  'disable',
  'sign_in',
  'sign_out',
  'enter_value',
  'show_log',
  'copy_report',
  'revoke',
  'open_source',
] as const;
/** One of {@link SERVER_ACTIONS}. */
export type ServerAction = (typeof SERVER_ACTIONS)[number];

const serverRow = fields({
  id: anyText,
  /** As its configuration names it. */
  name: anyText,
  status: oneOf(MCP_STATUSES),
  waitsFor: optional(oneOf(MCP_WAITS)),
  /** Why it is `failed` or `needs-auth`, or why its last attempt failed: a sentence for the user. */
  problem: optional(anyText),
  /** Name and version that the server reports, after the first connection. */
  server: optional(fields({ name: anyText, version: anyText })),
  /** Where it is configured: the short form of a path, the name of a setting or an extension; and the agents that define it, where these alone have it. */
  source: fields({ display: anyText, line: optional(count), scope: oneOf(['workspace', 'user', 'extension']), agents: optional(listOf(anyText)) }),
  /** Whether it has an icon, for `load_server_icon`. */
  icon: optional(flag),
  /** Numbers of its tools: all, those that models get, and those that are changed or refused. */
  tools: fields({ all: count, on: count, changed: count, refused: count }),
  prompts: count,
  resources: count,
  /** Roughly, how much its definitions take with every request, how much is deferred, and what its results took in this chat. */
  tokens: fields({ sent: count, deferred: count, results: count }),
  budget: oneOf(SERVER_BUDGETS),
  /** Whether there is something to sign out of. */
  signedIn: optional(flag),
  /** Whether there is an approval to revoke. */
  approved: optional(flag),
  /** Whether more is bound of what it runs than when it was approved, so that there is something to review. */
  hasMore: optional(flag),
  /** Another number when anything of its {@link ServerDetails} changes. */
  revision: count,
});
/** A server in the list. */
export type ServerRow = Of<typeof serverRow>;

const serversProblem = fields({
  /** Names it in `open_servers_problem`. */
  id: anyText,
  /** Short form of the file's path. */
  display: anyText,
  /** Path of keys; empty for the file as a whole. */
  key: anyText,
  line: optional(count),
  message: anyText,
  /** Whether the entry works nevertheless. */
  harmless: optional(flag),
});
/** Something in a configuration file that Gnomon cannot use. */
export type ServersProblem = Of<typeof serversProblem>;

/** All that the list of servers shows. */
export const serversView = fields({
  /** Whether the workspace is trusted; nothing of it can be approved before. */
  trusted: flag,
  servers: listOf(serverRow),
  problems: listOf(serversProblem),
  /** Number of servers and problems beyond the limit, which are not listed. */
  left: fields({ servers: count, problems: count }),
});
/** All that the list of servers shows. */
export type ServersView = Of<typeof serversView>;

const serverTool = fields({
  /** As its server names it; names it in requests. */
  name: anyText,
  title: optional(anyText),
  /** All of it. */
  description: optional(anyText),
  /** Whether models get it. */
  on: flag,
  tokens: count,
  /** Effects that the server declares; they never replace an approval. */
  annotations: fields({ readOnly: optional(flag), destructive: optional(flag), idempotent: optional(flag), openWorld: optional(flag) }),
  /** Diff from the accepted version; `hash` identifies the current one. */
  changed: optional(fields({ hash: anyText, diff: anyText })),
  /** Why models never get it, as a sentence. */
  refused: optional(anyText),
});
/** A tool of a server. All of its texts come from outside. */
export type ServerTool = Of<typeof serverTool>;

const serverItem = fields({
  /** Name of a prompt, address of a resource or its template. */
  name: anyText,
  title: optional(anyText),
  description: optional(anyText),
});
/** A prompt or a resource of a server. */
export type ServerItem = Of<typeof serverItem>;

/** Details of a server, beside its row in the list. */
export const serverDetails = fields({
  tools: listOf(serverTool),
  prompts: listOf(serverItem),
  resources: listOf(serverItem),
  /** Number of tools beyond the limit, which are not listed. */
  left: count,
  /** The server's instructions for models. */
  instructions: optional(anyText),
  /** Problems with its lists. */
  warnings: listOf(anyText),
});
/** Details of a server, beside its row in the list. */
export type ServerDetails = Of<typeof serverDetails>;

/** All that a server would do when it starts, for the user to read before. Nothing in it is shortened. */
export const serverConsent = fields({
  /** Names this very content; goes back with the approval. */
  hash: anyText,
  transport: oneOf(MCP_TRANSPORTS),
  command: optional(anyText),
  args: optional(listOf(anyText)),
  cwd: optional(anyText),
  /** Names of the environment variables that it gets; never their values. */
  env: optional(listOf(anyText)),
  envFile: optional(anyText),
  url: optional(anyText),
  /** Names of the headers that are sent to it; never their values. */
  headers: optional(listOf(anyText)),
  /** The client and the scopes to sign in with, where the configuration names them. */
  clientId: optional(anyText),
  scopes: optional(listOf(anyText)),
  /** Files of the workspace that it runs, whose content is approved along with it. */
  scripts: listOf(anyText),
  /** Warnings for the user, as sentences. */
  warnings: listOf(anyText),
  /**
   * Changes since the user approved it, as a unified diff of the entry and of each script. Empty the first time. Values of variables and
   * headers are never in it.
   */
  changes: listOf(fields({ title: anyText, path: anyText, diff: anyText })),
});
/** All that a server would do when it starts. */
export type ServerConsent = Of<typeof serverConsent>;

const inspectedMessage = fields({
  /** Names it in `load_server_message`. */
  seq: count,
  direction: oneOf(['sent', 'received']),
  /** Absent for answers to a message that is not known any more. */
  method: optional(anyText),
  /** Of JSON-RPC, as JSON. */
  rpcId: optional(anyText),
  /** Milliseconds to the response; absent for other messages. */
  latencyMs: optional(count),
  /** Bytes of what is kept of it. */
  size: count,
  /** Whether it is an error. */
  error: optional(flag),
});
/** A message between Gnomon and a server. */
export type InspectedMessage = Of<typeof inspectedMessage>;

/** Connection state and messages of a server, for the inspector. */
export const serverInspection = fields({
  /** Absent while there is no connection. */
  agreement: optional(fields({ era: oneOf(['modern', 'legacy']), revision: anyText, transport: anyText, capabilities: listOf(anyText) })),
  restarts: count,
  /** The last lines of its standard error output, scrubbed. */
  stderr: listOf(anyText),
  /** The last messages, oldest first. */
  messages: listOf(inspectedMessage),
});
/** Connection state and messages of a server, for the inspector. */
export type ServerInspection = Of<typeof serverInspection>;

const importedServer = fields({
  /** Names it in `import_servers`. */
  key: anyText,
  name: anyText,
  /** Command line or URL of the server. */
  starts: anyText,
  /** Fields that are not imported, as sentences. */
  unmapped: listOf(anyText),
  /** Why it cannot be chosen, such as that there is one of that name. */
  refused: optional(anyText),
});

/** A configuration file of another program, and the servers in it. */
export const serverImport = fields({
  /** Short form of its path. */
  display: anyText,
  /** The program that it is of. */
  program: anyText,
  servers: listOf(importedServer),
  /** Why nothing or not all of it can be read. */
  problem: optional(anyText),
});
/** A configuration file of another program, and the servers in it. */
export type ServerImport = Of<typeof serverImport>;
