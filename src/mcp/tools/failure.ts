import type { McpError, McpErrorKind } from '../../domain/mcp/connection.js';
import type { ToolResult } from '../../domain/tool/tool.js';
import { headOf } from '../../text/show.js';
import { textResult } from '../../tool/calls/define.js';
import { plainText } from './plain-text.js';

/** Characters of what a server says of its failure. */
const MAX_DETAIL = 2_000;

/** What a failure means for the model: whether the tool may have done its work, and what can be done about it. */
const MEANING: Readonly<Record<McpErrorKind, (server: string) => string>> = {
  unreachable: (server) => `The MCP server ${server} cannot be reached. The tool did not run. The user can start the server again.`,
  unauthorized: (server) => `The MCP server ${server} wants the user to sign in. The tool did not run. Ask the user to sign in to it.`,
  timeout: (server) => `The MCP server ${server} did not answer in time. The tool may have done its work.`,
  closed: (server) => `The MCP server ${server} ended while the tool was running. It may have done its work.`,
  answered: (server) => `The MCP server ${server} answered with an error.`,
  protocol: (server) => `The MCP server ${server} sent an answer that cannot be used. The tool may have done its work.`,
  refused: (server) => `Gnomon did not do what the MCP server ${server} asked for. The tool may have done a part of its work.`,
};

/** The result of a call that failed: in English whatever the language of the interface, with what is known in the end. */
export function failureOf({ kind, message }: McpError, server: string): ToolResult {
  const detail = headOf(plainText(message).trim(), MAX_DETAIL);
  return textResult(detail === '' ? MEANING[kind](server) : `${MEANING[kind](server)}\nDetails: ${detail}`, true);
}
