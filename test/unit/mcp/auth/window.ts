import { get, type IncomingMessage } from 'node:http';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { McpAuth, type McpAuthDeps } from '../../../../src/mcp/auth/mcp-auth.js';
import type { McpAccess } from '../../../../src/mcp/auth/access.js';
import type { McpOAuthConfig } from '../../../../src/domain/mcp/config.js';
import type { McpTarget } from '../../../../src/domain/mcp/connection.js';
import type { McpRedirectReceiver, McpSecretStore, McpSignInQuestion } from '../../../../src/domain/mcp/sign-in.js';
import { openLoopback } from '../../../../src/node/mcp-auth/loopback.js';
import { createSignInFetch } from '../../../../src/node/mcp-auth/sign-in-fetch.js';

/** The secret storage that windows share; each access takes a moment, as in VS Code. */
export class MemorySecrets implements McpSecretStore {
  readonly entries = new Map<string, string>();

  async get(key: string): Promise<string | undefined> {
    await tick();
    return this.entries.get(key);
  }

  async store(key: string, value: string): Promise<void> {
    await tick();
    this.entries.set(key, value);
  }

  async delete(key: string): Promise<void> {
    await tick();
    this.entries.delete(key);
  }

  async keys(): Promise<readonly string[]> {
    await tick();
    return [...this.entries.keys()];
  }

  /** Everything that is stored, as text. */
  get text(): string {
    return JSON.stringify([...this.entries]);
  }
}

function tick(): Promise<void> {
  return new Promise((done) => setImmediate(done));
}

/** A window of VS Code with a user who agrees and a browser that follows links. */
export class Window {
  readonly questions: McpSignInQuestion[] = [];
  readonly opened: string[] = [];
  readonly receivers: McpRedirectReceiver[] = [];
  readonly used = new Set<string>();
  readonly auth: McpAuth;

  constructor(
    readonly secrets = new MemorySecrets(),
    deps: Partial<McpAuthDeps> = {},
  ) {
    this.auth = new McpAuth({
      store: secrets,
      used: this.used,
      signInFetch: createSignInFetch(),
      clientMetadataUrl: () => undefined,
      confirm: (question) => {
        this.questions.push(question);
        return Promise.resolve(true);
      },
      openExternal: async (url) => {
        this.opened.push(url);
        await browse(url);
        return true;
      },
      receive: async (previous) => {
        const receiver = await openLoopback({ previous });
        this.receivers.push(receiver);
        return receiver;
      },
      ...deps,
    });
  }

  signIn(target: McpTarget, signal = new AbortController().signal): Promise<void> {
    return this.auth.signIn(target, signal);
  }

  /** Signs in after the server refused a request, as connections do. */
  async signInAfterRefusal(target: McpTarget): Promise<void> {
    await failure(send(target, this.access(target)));
    await this.signIn(target);
  }

  access(target: McpTarget): McpAccess {
    const access = this.auth.access(target);
    if (access === undefined) throw new Error('There is nothing to sign in to.');
    return access;
  }
}

/** What a browser does with an address, including where it is sent on to. Returns the status of the last page. */
export async function browse(url: string): Promise<number> {
  const page = await new Promise<IncomingMessage>((done, fail) => {
    get(url, { headers: { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Dest': 'document' }, agent: false }, done).on('error', fail);
  });
  page.resume();
  const { location } = page.headers;
  return location === undefined ? (page.statusCode ?? 0) : browse(location);
}

/** A server, as it is configured. */
export function target(url: string, oauth?: McpOAuthConfig): McpTarget {
  return { name: 'tracker', cwd: '/', config: { type: 'http', url, headers: {}, ...(oauth !== undefined && { oauth }) } };
}

/** Sends a message as a connection does, through the transport of the official client. */
export async function send({ config }: McpTarget, access: McpAccess): Promise<void> {
  if (config.type !== 'http') throw new Error('Only http is sent to.');
  const transport = new StreamableHTTPClientTransport(new URL(config.url), { authProvider: access, fetch: access.fetch(fetch) });
  await transport.start();
  try {
    await transport.send({ jsonrpc: '2.0', method: 'notifications/test' });
  } finally {
    await transport.close();
  }
}

/** What a promise rejects with. */
export async function failure(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}
