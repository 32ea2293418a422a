import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { McpError } from '../../../domain/mcp/connection.js';
import { t } from '../../../domain/l10n.js';
import { record } from '../wire/json.js';

/** A way to a server in the same process: messages of JSON-RPC as values. */
export interface SdkChannel {
  send(message: unknown): void;
  close(): void;
}

/** Opens a way to a server that is registered under a name; `undefined` when there is none. */
export type SdkServers = (name: string, events: { readonly message: (message: unknown) => void; readonly closed: () => void }) => SdkChannel | undefined;

/** The transport of servers inside programs that use Gnomon. */
export class InProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  private channel: SdkChannel | undefined;
  private closed = false;

  constructor(
    private readonly name: string,
    private readonly servers: SdkServers | undefined,
  ) {}

  start(): Promise<void> {
    this.channel = this.servers?.(this.name, { message: (message) => this.receive(message), closed: () => this.end() });
    if (this.channel !== undefined) return Promise.resolve();
    return Promise.reject(new McpError('unreachable', t('No server is registered under the name “{0}”.', this.name)));
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.closed || this.channel === undefined) return Promise.reject(new McpError('closed', t('The connection with the server has ended.')));
    this.channel.send(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.channel?.close();
    this.end();
    return Promise.resolve();
  }

  private receive(message: unknown): void {
    if (record(message)?.['jsonrpc'] === '2.0') this.onmessage?.(message as JSONRPCMessage);
  }

  private end(): void {
    if (this.closed) return;
    this.closed = true;
    this.onclose?.();
  }
}
