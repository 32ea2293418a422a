/**
 * A server of the Model Context Protocol with functions as tools. The official library for servers would make this one six times as large; of the
 * protocol, its only client needs four methods.
 */
import * as z from 'zod/mini';
import { errorMessage } from '../../domain/errors.js';
import { InvalidInputError } from './errors.js';
import type { McpServer } from './mcp-server.js';
import type { JsonObject } from './parse-message.js';
import { TOOL_NAME, type Tool } from './tools.js';

/** The revision that is spoken where the client names none. As to tools, those that begin with `initialize` differ in what this server does not have. */
const REVISION = '2025-11-25';
/** Codes of JSON-RPC 2.0. */
const CODES = { request: -32_600, method: -32_601, params: -32_602, internal: -32_603 } as const;

const open = z.record(z.string(), z.unknown());
const message = z.looseObject({
  jsonrpc: z.literal('2.0'),
  id: z.exactOptional(z.union([z.string(), z.number()])),
  method: z.string(),
  params: z.exactOptional(open),
});
const callParams = z.looseObject({ name: z.string(), arguments: z.exactOptional(open) });

/** What a request is refused with. */
class Refusal extends Error {
  constructor(
    readonly code: number,
    why: string,
  ) {
    super(why);
  }
}

/** What a server is made of. */
export interface ToolServerDefinition {
  /** As {@link McpServer.name}. */
  readonly name: string;
  /** Of the server. Default: `1.0.0`. */
  readonly version?: string;
  /** None of the same name as another one. */
  readonly tools: readonly Tool[];
}

/**
 * Makes a server of tools, for the option `toolServers`. It can be given to several runs, also at the same time.
 * @throws InvalidInputError for a name that cannot be one, and for two tools of one name
 */
export function toolServer({ name, version = '1.0.0', tools }: ToolServerDefinition): McpServer {
  if (!TOOL_NAME.test(name)) throw new InvalidInputError(`A server of tools cannot have the name “${name}”: letters, digits, “.”, “_”, and “-” are names.`);
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length) throw new InvalidInputError(`Two tools of the server “${name}” have the same name.`);
  return new ToolServer(name, version, byName);
}

class ToolServer implements McpServer {
  constructor(
    readonly name: string,
    private readonly version: string,
    private readonly tools: ReadonlyMap<string, Tool>,
  ) {}

  async handleMessage(bytes: Uint8Array, signal: AbortSignal): Promise<Uint8Array | undefined> {
    const asked = await this.answerTo(new TextDecoder().decode(bytes), signal);
    return asked && new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', ...asked }));
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  private async answerTo(text: string, signal: AbortSignal): Promise<JsonObject | undefined> {
    const { data } = z.safeParse(message, parsed(text));
    if (data === undefined) return { id: null, error: { code: CODES.request, message: 'This is no request of JSON-RPC 2.0.' } };
    const { id, method, params = {} } = data;
    // What is canceled, the run tells by the signal.
    if (id === undefined) return undefined;
    try {
      return { id, result: await this.carryOut(method, params, signal) };
    } catch (error) {
      return { id, error: { code: error instanceof Refusal ? error.code : CODES.internal, message: errorMessage(error) } };
    }
  }

  private async carryOut(method: string, params: JsonObject, signal: AbortSignal): Promise<object> {
    switch (method) {
      case 'initialize': {
        const { protocolVersion } = params;
        const { name, version } = this;
        return {
          protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : REVISION,
          capabilities: { tools: {} },
          serverInfo: { name, version },
        };
      }
      case 'ping':
        return {};
      case 'tools/list':
        return { tools: [...this.tools.values()].map(({ call: _, ...told }) => told) };
      case 'tools/call':
        return this.called(params, signal);
      default:
        throw new Refusal(CODES.method, `There is no method “${method}”.`);
    }
  }

  private called(params: JsonObject, signal: AbortSignal): Promise<object> {
    const { data } = z.safeParse(callParams, params);
    if (data === undefined) throw new Refusal(CODES.params, 'A call has a name and arguments.');
    const tool = this.tools.get(data.name);
    if (tool === undefined) throw new Refusal(CODES.params, `There is no tool “${data.name}”.`);
    return tool.call(data.arguments ?? {}, { signal });
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told as what is no request.
    return undefined;
  }
}
