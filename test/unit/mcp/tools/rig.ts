import type { McpCallOptions } from '../../../../src/domain/mcp/connection.js';
import type { McpCallResult, McpToolInfo } from '../../../../src/domain/mcp/feature.js';
import type { Tool, ToolContext, ToolResult } from '../../../../src/domain/tool/tool.js';
import { createServerTools, type ToolServer } from '../../../../src/mcp/tools/server-tools.js';

/** What a server lists: a tool that takes one text. */
export function info(name: string, over: Partial<McpToolInfo> = {}): McpToolInfo {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object', properties: { text: { type: 'string' } } }, annotations: {}, ...over };
}

/** What a server gives back. */
export function gives(text: string, over: Partial<McpCallResult> = {}): McpCallResult {
  return { content: [{ type: 'text', text }], isError: false, ...over };
}

/** A call that reached the server. */
interface Received {
  readonly tool: string;
  readonly args: unknown;
  readonly options: McpCallOptions;
}

/** A server by hand, which keeps what it was asked, and what the user accepted. */
export interface TestServer extends ToolServer {
  readonly received: Received[];
  readonly acceptedNow: McpToolInfo[];
  readonly kept: string[];
}

/** A server by hand. It answers with the arguments unless told otherwise. */
export function serverOf(tools: readonly McpToolInfo[], over: Partial<ToolServer> = {}): TestServer {
  const received: Received[] = [];
  const acceptedNow: McpToolInfo[] = [];
  const kept: string[] = [];
  return {
    id: 'db',
    tools,
    current: (name) => tools.find((tool) => tool.name === name),
    accepted: { before: () => undefined, accept: (tool) => acceptedNow.push(tool) },
    keep: (text) => Promise.resolve(`/out/${kept.push(text)}.log`),
    ...over,
    call: (tool, args, options) => {
      received.push({ tool: tool.name, args, options });
      return over.call?.(tool, args, options) ?? Promise.resolve(gives(JSON.stringify(args)));
    },
    received,
    acceptedNow,
    kept,
  };
}

/** The only tool of a server. */
export function onlyTool(server: ToolServer): Tool {
  const [made] = createServerTools(server).tools;
  if (made === undefined) throw new Error('The tool was refused.');
  return made.tool;
}

/** What a tool is given beside its plan; `lines` is its live output. */
export function contextOf(signal: AbortSignal = new AbortController().signal): ToolContext & { readonly lines: string[] } {
  const lines: string[] = [];
  return { signal, sessionId: 's1', callId: 'c1', output: (chunk) => lines.push(chunk), lines };
}

/** Plans a call and runs it. */
export async function run(tool: Tool, args: unknown, context: ToolContext = contextOf()): Promise<ToolResult> {
  return tool.execute(await tool.plan(args, context), context);
}

/** The texts of a result. */
export function textOf({ content }: ToolResult): string {
  return content.map((block) => (block.type === 'text' ? block.text : `<${block.mimeType}>`)).join('\n');
}
