import * as z from 'zod/mini';
import { errorMessage } from '../domain/errors.js';
import type { Log } from '../domain/log.js';
import type { SdkChannel } from '../mcp/client/transport/in-process-transport.js';
import { ApiError, parsed } from './api-error.js';
import type { GnomonDisposable, GnomonMcpServer } from './gnomon-api.js';
import type { ExtensionServers, ServerEvents } from './extension-servers.js';

/** Servers of one extension. */
const MAX_SERVERS = 8;
/** Bytes of a message; as much as of a server that is a process. */
const MAX_MESSAGE = 8 * 1024 * 1024;
/** JSON-RPC 2.0, section 5.1: an error inside the server. */
const INTERNAL_ERROR = -32_603;

const schema = z.object({
  name: z.string().check(z.regex(/^[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+)*$/, 'letters and digits, with single _ and - between them'), z.maxLength(40)),
});

/** Caller and registry of a server. */
export interface ServerRegistration {
  /** Id of the extension, as it says. */
  readonly caller: string;
  readonly offered: ExtensionServers;
  readonly log: Log;
}

/** Offers an MCP server inside another extension. @throws ApiError for one that cannot be offered. */
export function registerMcpServer(server: GnomonMcpServer, { caller, offered, log }: ServerRegistration): GnomonDisposable {
  const { name } = parsed(schema, server, 'registerMcpServer');
  for (const method of ['handleMessage', 'close'] as const)
    if (typeof server[method] !== 'function') throw new ApiError('invalid', `The server ${name} has no function ${method}.`);
  if (offered.has(caller, name)) throw new ApiError('invalid', `${caller} offers a server ${name} already. Dispose of that first.`);
  if (offered.count(caller) >= MAX_SERVERS) throw new ApiError('limit', `An extension can offer ${MAX_SERVERS} servers.`);
  const channels = new Set<ExtensionChannel>();
  const takeBack = offered.add({
    caller,
    name,
    open: (events) => {
      const closed = (): void => {
        channels.delete(channel);
        events.closed();
      };
      const channel: ExtensionChannel = new ExtensionChannel(server, { ...events, closed }, { who: `The MCP server ${name} of ${caller}`, log });
      channels.add(channel);
      return channel;
    },
  });
  return Object.freeze({
    dispose: () => {
      takeBack();
      for (const channel of [...channels]) channel.end();
    },
  });
}

/** One connection with a server inside an extension. What crosses it are copies, so that neither side holds anything of the other. */
class ExtensionChannel implements SdkChannel {
  private readonly who: string;
  private readonly log: Log;
  private readonly connection = Object.freeze({ send: (message: string | Uint8Array) => this.receive(message) });
  private isOpen = true;

  constructor(
    private readonly server: GnomonMcpServer,
    private readonly events: ServerEvents,
    { who, log }: { readonly who: string; readonly log: Log },
  ) {
    this.who = who;
    this.log = log;
  }

  send(message: unknown): void {
    const bytes = new TextEncoder().encode(JSON.stringify(message));
    // Code of an extension is never run within that of Gnomon.
    queueMicrotask(() => void this.handle(bytes, idOf(message)));
  }

  close(): void {
    this.end();
  }

  /** Ends the connection for both sides. */
  end(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.events.closed();
    queueMicrotask(() => void this.tellClosed());
  }

  private async handle(bytes: Uint8Array, id: string | number | undefined): Promise<void> {
    if (!this.isOpen) return;
    try {
      const answer: unknown = await this.server.handleMessage(bytes, this.connection);
      if (answer !== undefined && answer !== null) this.receive(answer);
    } catch (error) {
      this.log.error(`${this.who} failed`, error);
      if (id !== undefined) this.fail(id);
    }
  }

  /** Answers a request in place of the server. */
  private fail(id: string | number): void {
    if (this.isOpen) this.events.message({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: 'The server failed.' } });
  }

  private async tellClosed(): Promise<void> {
    try {
      await this.server.close();
    } catch (error) {
      this.log.error(`${this.who} did not close`, error);
    }
  }

  /** Takes a message of the server. @throws ApiError when it is not a valid message */
  private receive(message: unknown): void {
    if (!this.isOpen) return;
    const text = message instanceof Uint8Array ? decoded(message) : message;
    if (typeof text !== 'string') throw new ApiError('invalid', 'A message is JSON, as a string or as bytes in UTF-8.');
    if (text.length > MAX_MESSAGE) throw new ApiError('limit', `A message has at most ${MAX_MESSAGE} bytes.`);
    this.events.message(parsedMessage(text));
  }
}

function decoded(bytes: Uint8Array): string {
  if (bytes.byteLength > MAX_MESSAGE) throw new ApiError('limit', `A message has at most ${MAX_MESSAGE} bytes.`);
  return new TextDecoder().decode(bytes);
}

function parsedMessage(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ApiError('invalid', `A message is no JSON: ${errorMessage(error)}`);
  }
}

/** The id of a request; `undefined` for what wants no answer. */
function idOf(message: unknown): string | number | undefined {
  if (typeof message !== 'object' || message === null || !('method' in message) || !('id' in message)) return undefined;
  return typeof message.id === 'string' || typeof message.id === 'number' ? message.id : undefined;
}
