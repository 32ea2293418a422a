import { imageTokens } from '../../domain/model/image-tokens.js';
import { type Message, toolCalls, type ToolResultMessage } from '../../domain/model/message.js';
import { serverPrefix } from '../../domain/mcp/tool-name.js';
import { textTokens } from '../../text/text-tokens.js';
import { calledThrough } from './meta-tools.js';
import type { ServerOffer } from './toolset.js';

/** Estimated share of the context window that the tools of a server use. */
export interface ServerBudget {
  readonly id: string;
  readonly tools: number;
  /** Tokens of its definitions. */
  readonly definitionTokens: number;
  /** Whether requests do without the definitions until a search finds them. */
  readonly deferred: boolean;
  readonly calls: number;
  /** Tokens of what its tools gave in the session. */
  readonly resultTokens: number;
}

/** Estimates the tokens that servers use with each request, and have used in a session. @param messages of the session; none for a new one */
export function budgetOf(servers: readonly ServerOffer[], messages: readonly Message[] = []): readonly ServerBudget[] {
  const names = new Map(
    messages.flatMap((message) =>
      message.role === 'assistant' ? toolCalls(message).map((call): [string, string] => [call.id, calledThrough(call).name]) : [],
    ),
  );
  const results = messages.filter((message) => message.role === 'tool_result');
  return servers.map(({ id, tools, tokens, deferred }) => {
    const prefix = serverPrefix(id);
    const own = results.filter(({ toolCallId }) => names.get(toolCallId)?.startsWith(prefix) === true);
    return {
      id,
      tools: tools.length,
      definitionTokens: tokens,
      deferred,
      calls: own.length,
      resultTokens: own.reduce((total, result) => total + tokensOf(result), 0),
    };
  });
}

function tokensOf({ content }: ToolResultMessage): number {
  return content.reduce((total, block) => total + (block.type === 'text' ? textTokens(block.text) : imageTokens(block)), 0);
}
