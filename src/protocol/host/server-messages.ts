import { IMAGE_MIME_TYPES } from '../../domain/model/content.js';
import { viewElicitation } from '../elicitation.js';
import { serverConsent, serverDetails, serverImport, serverInspection, serversView } from '../servers.js';
import { type Messages, anyBytes, anyText, count, listOf, oneOf, optional } from '../shape.js';

/** Messages to a page about MCP servers. */
export type ServerMessage = Messages<typeof SERVER_MESSAGES>;

/** Its fields, by type. */
export const SERVER_MESSAGES = {
  /** The user wants to see the servers. */
  show_servers: {},
  /** The answer to `list_servers`, and again with each change until `close_servers`. */
  servers: { view: serversView },
  /** The answer to `load_server`; `revision` is that of its line in the list. */
  server_details: { id: anyText, revision: count, details: serverDetails },
  /** The answer to `load_server_consent`; without `consent` there is nothing to be approved any more. */
  server_consent: { id: anyText, consent: optional(serverConsent) },
  server_inspection: { id: anyText, inspection: serverInspection },
  /** The text of a message, scrubbed of secrets; absent when it is not kept any more. */
  server_message: { id: anyText, seq: count, text: optional(anyText) },
  server_icon: { id: anyText, mimeType: oneOf(IMAGE_MIME_TYPES), data: anyBytes },
  server_imports: { files: listOf(serverImport) },
  /** Result of a requested action, for the user. */
  servers_told: { level: oneOf(['info', 'error']), text: anyText },
  /** All that servers ask the user for in the conversation that is shown, oldest first. Replaces what was sent before. */
  elicitations: { elicitations: listOf(viewElicitation) },
};
