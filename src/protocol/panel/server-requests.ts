import type { McpFieldValue } from '../../domain/mcp/request.js';
import { MAX_FEEDBACK_LENGTH } from '../limits.js';
import { SERVER_ACTIONS, SERVER_BUDGETS } from '../servers.js';
import { type Check, type Messages, count, flag, id, listOf, mapOf, oneOf, optional, text } from '../shape.js';

/** Servers that can be imported at once. */
const MAX_IMPORTED = 500;
/** Fields of a form, and choices in one of them. */
const MAX_FIELDS = 200;

const formText = text(MAX_FEEDBACK_LENGTH);
const formChoices = listOf(formText, MAX_FIELDS);
const fieldValue: Check<McpFieldValue> = (value): value is McpFieldValue =>
  typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)) || formText(value) || formChoices(value);

/** Requests of the MCP servers page. */
export type ServerRequest = Messages<typeof SERVER_REQUESTS>;

/** Its fields, by type. */
export const SERVER_REQUESTS = {
  /** The servers are shown: they come at once and again whenever they change, until `close_servers`. */
  list_servers: {},
  close_servers: {},
  server_action: { id, action: oneOf(SERVER_ACTIONS) },
  /** Loads the details of a server. Answered with `server_details`. */
  load_server: { id },
  /** Loads the effects of a server for its approval. Answered with `server_consent`. */
  load_server_consent: { id },
  /** Approves what was shown under `hash`, and starts it. */
  approve_server: { id, hash: id },
  /** Whether models get a tool. */
  set_server_tool: { id, tool: id, on: flag },
  /** Accepts a tool as it was shown under `hash`. */
  accept_server_tool: { id, tool: id, hash: id },
  set_server_budget: { id, budget: oneOf(SERVER_BUDGETS) },
  /** Answered with `server_inspection`. */
  inspect_server: { id },
  /** Answered with `server_message`. */
  load_server_message: { id, seq: count },
  load_server_icon: { id },
  /** Looks for servers in the configuration of other programs. Answered with `server_imports`. */
  load_server_imports: {},
  import_servers: { keys: listOf(id, MAX_IMPORTED) },
  /** Opens the file or the setting to add a server to; a file that is not there is made. */
  add_server: { to: oneOf(['workspace', 'user']) },
  /** Opens the place of a problem. */
  open_servers_problem: { id },
  /** `content` with `accept` of a form; `always` with `accept` of an answer of the model, for all further ones of the server in this chat. */
  answer_elicitation: { id, action: oneOf(['accept', 'decline', 'cancel']), content: optional(mapOf(fieldValue, MAX_FIELDS)), always: optional(flag) },
};
