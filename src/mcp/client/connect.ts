import type { McpConnection } from '../../domain/mcp/connection.js';
import { Connection } from './connection.js';
import { mcpError } from './errors.js';
import { Inbox } from './inbox.js';
import { type ConnectContext, openLink } from './link.js';
import { abortError, OpenQuestions } from './patience.js';
import { RequiredPages } from './server-requests.js';

/** Connects as the specification's table of eras says, and opens the lists. */
export async function connect(context: ConnectContext, signal: AbortSignal): Promise<McpConnection> {
  const shared = { inbox: new Inbox(context.handlers, context.limits), questions: new OpenQuestions(), pages: new RequiredPages() };
  try {
    const link = await openLink(context, shared, signal);
    return Connection.open(context, shared, link);
  } catch (error) {
    shared.inbox.stop();
    if (signal.aborted) throw abortError(signal);
    throw mcpError(error);
  }
}
