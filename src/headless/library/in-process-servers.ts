import * as z from 'zod/mini';
import { AbortError } from '../../domain/errors.js';
import { InvalidInputError, MessageParseError } from './errors.js';
import { isObject } from './json-lines.js';
import type { McpServer } from './mcp-server.js';
import type { Options } from './options.js';
import type { JsonObject } from './parse-message.js';
import { problemOf } from './problem.js';

/** Characters of an answer at most: as many bytes as Gnomon takes of other servers. */
const MAX_ANSWER = 8 * 1024 * 1024;

const request = z.looseObject({ server_name: z.string(), message: z.record(z.string(), z.unknown()) });

/** The MCP servers of a run that are in this process: takes their messages to them. */
export class InProcessServers {
  private readonly servers: ReadonlyMap<string, McpServer>;
  /** The requests that are open, by server and id. */
  private readonly open = new Map<string, AbortController>();

  constructor(options: Pick<Options, 'toolServers' | 'mcpServers'>) {
    this.servers = serversByName(options);
  }

  /** The names that the program has for them. */
  get names(): readonly string[] {
    return [...this.servers.keys()];
  }

  /**
   * Takes a message to its server.
   * @param body the request `mcp_message`
   * @returns the answer of the server
   * @throws what the server throws, MessageParseError, InvalidInputError for an answer that cannot be used, AbortError for a call that was canceled
   */
  async take(body: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const { data, error } = z.safeParse(request, body);
    if (data === undefined) throw new MessageParseError('Gnomon’s program has a message for a server that cannot be read.', body, problemOf(error.issues).path);
    const { server_name: name, message } = data;
    const server = this.servers.get(name);
    if (server === undefined) throw new InvalidInputError(`There is no server “${name}” in this program.`);
    if (message['method'] === 'notifications/cancelled' && isObject(message['params'])) this.cancel(keyOf(name, message['params']['requestId']));
    const stop = new AbortController();
    const key = keyOf(name, message['id']);
    if (message['id'] !== undefined) this.open.set(key, stop);
    try {
      return await this.answered(server, message, AbortSignal.any([signal, stop.signal]));
    } finally {
      if (this.open.get(key) === stop) this.open.delete(key);
    }
  }

  /** The run has ended. Resolves when each server knows, whether it could be closed or not: nobody is left to be told. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.servers.values()].map(async (server) => server.close()));
  }

  private cancel(key: string): void {
    this.open.get(key)?.abort(new AbortError('The call was canceled.'));
  }

  private async answered(server: McpServer, message: JsonObject, signal: AbortSignal): Promise<JsonObject> {
    const bytes = await Promise.race([server.handleMessage(new TextEncoder().encode(JSON.stringify(message)), signal), whenAborted(signal)]);
    if (message['id'] === undefined) return {};
    const why = bytes === undefined ? 'none' : bytes.length > MAX_ANSWER ? `one of more than ${MAX_ANSWER} bytes` : undefined;
    const answer: unknown = why === undefined ? JSON.parse(new TextDecoder().decode(bytes)) : undefined;
    if (isObject(answer) && answer['id'] === message['id']) return { mcp_response: answer };
    throw new InvalidInputError(`The server “${server.name}” gave no answer that can be used, but ${why ?? 'something else'}.`);
  }
}

function serversByName({ toolServers = [], mcpServers }: Pick<Options, 'toolServers' | 'mcpServers'>): ReadonlyMap<string, McpServer> {
  const named = Object.entries(typeof mcpServers === 'object' ? mcpServers : {}).flatMap(([name, config]) =>
    config.type === 'sdk' ? [[name, toolServers.find((server) => server.name === config.name)] as const] : [],
  );
  const all = new Map<string, McpServer>();
  for (const [name, server] of named) if (server !== undefined) all.set(name, server);
  for (const server of toolServers) if (!named.some(([, each]) => each === server)) all.set(server.name, server);
  return all;
}

function keyOf(server: string, id: unknown): string {
  return JSON.stringify([server, id]);
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = (): void => reject(signal.reason instanceof Error ? signal.reason : new AbortError());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
