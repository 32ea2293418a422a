import { present } from '../../domain/present.js';
import { type AuthProvider, Client, SSEClientTransport, SseError, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import type { McpRemoteConfig } from '../../domain/mcp/config.js';
import { MCP_REVISIONS, type McpAgreement, McpError, type McpHandlers, type McpTarget } from '../../domain/mcp/connection.js';
import { t } from '../../domain/l10n.js';
import type { StartMcpProcess } from '../../domain/mcp/process.js';
import type { McpFetch } from '../../domain/mcp/sign-in.js';
import { httpStatus, mcpError } from './errors.js';
import { guardedFetch } from './transport/guarded-fetch.js';
import type { Inbox } from './inbox.js';
import { InProcessTransport, type SdkServers } from './transport/in-process-transport.js';
import { readIcons } from './wire/from-wire.js';
import type { McpLimits } from './limits.js';
import { ObservedPipe, ObservedTransport } from './transport/observed-transport.js';
import { abortError, type OpenQuestions } from './patience.js';
import { endText, ProcessTransport } from './transport/process-transport.js';
import { answerRequests, capabilitiesFor, type RequiredPages } from './server-requests.js';

/** Time limit for the request that ends an HTTP session, in milliseconds. */
const GOODBYE_MS = 1_000;
/** Statuses by which a server of Streamable HTTP says something else than that it does not know what that is. */
const NOT_ABOUT_TRANSPORT: ReadonlySet<number> = new Set([401, 403, 407, 408, 429]);

/** Access tokens for a server over HTTP. */
interface McpAuthorization extends AuthProvider {
  /** The `fetch` for requests to the server. @param reach `origin` for the transport before Streamable HTTP, whose messages go to another path */
  fetch(base: McpFetch, reach: 'resource' | 'origin'): McpFetch;
}

/** Ports that connecting uses: processes, network requests, and sign-in. */
export interface McpConnectorDeps {
  /** Client name and version in the handshake. */
  readonly client: { readonly name: string; readonly version: string };
  readonly startProcess: StartMcpProcess;
  /** The platform’s, which knows the user’s proxy and certificates. */
  readonly fetch: McpFetch;
  /** Absent, or `undefined` for a server: one that wants the user to sign in is `unauthorized`. */
  readonly auth?: (target: McpTarget) => McpAuthorization | undefined;
  /** Servers inside programs that use Gnomon. */
  readonly sdkServers?: SdkServers;
  /** Other limits than the default ones. */
  readonly limits?: Partial<McpLimits>;
}

/** Everything that a connection is made with. */
export interface ConnectContext extends McpConnectorDeps {
  readonly limits: McpLimits;
  readonly target: McpTarget;
  readonly handlers: McpHandlers;
}

/** State of a connection that survives a new session. */
export interface Shared {
  readonly inbox: Inbox;
  readonly questions: OpenQuestions;
  readonly pages: RequiredPages;
}

/** A client that is connected. */
export interface Link {
  readonly client: Client;
  readonly agreement: McpAgreement;
  /** Of Streamable HTTP in the legacy era. */
  readonly session: () => string | undefined;
  /** Why it is over; `undefined` while it is not. */
  readonly ended: () => string | undefined;
  readonly close: () => Promise<void>;
}

/** Options of one attempt to connect. */
interface Attempt {
  readonly transport: McpAgreement['transport'];
  /** Whether it is known that the server is of the legacy era, so that it is not asked. */
  readonly legacy: boolean;
  readonly probeMs: number;
}

/** Connects a client, in as many attempts as the era and the transport of the server need. */
export async function openLink(context: ConnectContext, shared: Shared, signal: AbortSignal): Promise<Link> {
  const { config } = context.target;
  const { probeMs, connectMs } = context.limits;
  const dial = (attempt: Partial<Attempt>): Promise<Link> => dialOnce(context, shared, { transport: config.type, legacy: false, probeMs, ...attempt }, signal);
  switch (config.type) {
    case 'sse':
      return dial({ legacy: true });
    case 'http':
      return dialHttp(
        () => dial({ probeMs: connectMs }),
        () => dial({ transport: 'sse', legacy: true }),
        signal,
      );
    case 'stdio':
    case 'sdk':
      return dialPipe(dial, context.limits, signal);
  }
}

/** A session of the legacy era that the server has forgotten is replaced without asking for the era again. */
export function reopenLink(context: ConnectContext, shared: Shared, signal: AbortSignal): Promise<Link> {
  return dialOnce(context, shared, { transport: 'http', legacy: true, probeMs: context.limits.probeMs }, signal);
}

async function dialHttp(streamable: () => Promise<Link>, sse: () => Promise<Link>, signal: AbortSignal): Promise<Link> {
  try {
    return await streamable();
  } catch (error) {
    const status = httpStatus(error);
    if (signal.aborted || status === undefined || status < 400 || status >= 500 || NOT_ABOUT_TRANSPORT.has(status)) throw error;
    return await sse().catch((second: unknown) => {
      // What the newer transport said is about the address that was configured.
      throw httpStatus(second) === undefined || signal.aborted ? second : error;
    });
  }
}

async function dialPipe(dial: (attempt: Partial<Attempt>) => Promise<Link>, limits: McpLimits, signal: AbortSignal): Promise<Link> {
  const start = performance.now();
  try {
    return await dial({});
  } catch (error) {
    if (signal.aborted) throw error;
    // A process that cannot bear to be asked anything before `initialize`.
    if (error instanceof ProcessEnded) return await dial({ legacy: true });
    // One that takes long to start, and knows nothing but the modern era, so that it refused `initialize`.
    if (mcpError(error).kind === 'answered' && performance.now() - start > limits.probeMs) return await dial({ probeMs: limits.connectMs });
    throw error;
  }
}

/** That a process ended before it was connected with. */
class ProcessEnded extends McpError {}

async function dialOnce(context: ConnectContext, shared: Shared, attempt: Attempt, signal: AbortSignal): Promise<Link> {
  signal.throwIfAborted();
  const { limits, handlers } = context;
  const inner = transportOf(context, attempt.transport);
  const pipe = inner instanceof ProcessTransport || inner instanceof InProcessTransport;
  const transport = pipe ? new ObservedPipe(inner, handlers.traffic) : new ObservedTransport(inner, handlers.traffic);
  const client = new Client(context.client, {
    capabilities: capabilitiesFor(handlers),
    supportedProtocolVersions: [...MCP_REVISIONS],
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: attempt.probeMs } },
    inputRequired: { maxRounds: limits.rounds },
  });
  answerRequests(client, handlers, { questions: shared.questions, most: limits.openRequests });
  shared.inbox.attach(client);
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) => {
    shared.pages.done(params.elicitationId);
    handlers.elicited?.(params.elicitationId);
  });
  const reason = reasonOf(inner);
  try {
    const connected = client.connect(transport, { timeout: limits.connectMs, ...(attempt.legacy ? { prior: { kind: 'legacy' } } : {}) });
    await before(connected, limits.connectMs, signal);
  } catch (error) {
    const ended = inner instanceof ProcessTransport ? inner.end : undefined;
    await transport.close();
    if (ended !== undefined && !signal.aborted) throw new ProcessEnded('closed', endText(ended), { cause: error });
    throw error;
  }
  return linkOf(client, transport, { transport: attempt.transport, reason });
}

/** Waits for something, until it takes too long or is not wanted any more. */
async function before<T>(promise: Promise<T>, limitMs: number, signal: AbortSignal): Promise<T> {
  let reject: (error: unknown) => void = () => undefined;
  const over = new Promise<never>((_, rejects) => (reject = rejects));
  const stopped = (): void => reject(abortError(signal));
  signal.addEventListener('abort', stopped, { once: true });
  const timer = setTimeout(() => reject(new McpError('timeout', t('The server did not answer in time.'))), limitMs);
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stopped);
  }
}

/** Why a transport is over, which only it knows. */
function reasonOf(inner: Transport): () => string {
  return () => {
    const end = inner instanceof ProcessTransport ? inner.end : undefined;
    return end === undefined ? t('The server closed the connection.') : endText(end);
  };
}

function linkOf(
  client: Client,
  transport: ObservedTransport,
  { transport: kind, reason }: { readonly transport: McpAgreement['transport']; readonly reason: () => string },
): Link {
  let ended: string | undefined;
  const closed = client.onclose;
  client.onclose = () => {
    ended ??= reason();
    closed?.();
  };
  // The stream of the transport before Streamable HTTP is the session: opened again, it is another one.
  client.onerror = (error) => {
    if (kind === 'sse' && error instanceof SseError) void transport.close();
  };
  return {
    client,
    agreement: agreementOf(client, kind),
    session: () => transport.sessionId,
    ended: () => ended,
    async close() {
      ended ??= t('Gnomon closed the connection.');
      await transport.goodbye(GOODBYE_MS);
      await transport.close();
    },
  };
}

function agreementOf(client: Client, transport: McpAgreement['transport']): McpAgreement {
  const capabilities = client.getServerCapabilities() ?? {};
  const server = client.getServerVersion();
  return present({
    era: client.getProtocolEra() ?? 'legacy',
    revision: client.getNegotiatedProtocolVersion() ?? '',
    transport,
    server: server === undefined ? undefined : present({ name: server.name, version: server.version, icons: readIcons(server.icons) }),
    capabilities: {
      tools: capabilities.tools !== undefined,
      resources: capabilities.resources !== undefined,
      subscriptions: capabilities.resources?.subscribe === true,
      prompts: capabilities.prompts !== undefined,
      completions: capabilities.completions !== undefined,
      logging: capabilities.logging !== undefined,
    },
    instructions: client.getInstructions(),
  });
}

function transportOf(context: ConnectContext, kind: McpAgreement['transport']): Transport {
  const { target, limits, handlers, startProcess, sdkServers } = context;
  const { config, cwd } = target;
  switch (config.type) {
    case 'stdio':
      return new ProcessTransport({ config, cwd, start: startProcess, limits, stderr: handlers.stderr });
    case 'sdk':
      return new InProcessTransport(config.name, sdkServers);
    default:
      return remoteTransport(context, config, kind);
  }
}

function remoteTransport({ target, limits, fetch, auth }: ConnectContext, config: McpRemoteConfig, kind: McpAgreement['transport']): Transport {
  if (!URL.canParse(config.url)) throw new McpError('unreachable', t('The address of the server is not valid.'));
  const url = new URL(config.url);
  if (!['http:', 'https:'].includes(url.protocol)) throw new McpError('refused', t('A server can be reached at an http or https address only.'));
  const authProvider = auth?.(target);
  const requests = authProvider?.fetch(fetch, kind === 'sse' ? 'origin' : 'resource') ?? fetch;
  const options = { fetch: guardedFetch({ url, headers: config.headers, messageBytes: limits.messageBytes }, requests), ...present({ authProvider }) };
  // oxlint-disable-next-line typescript/no-deprecated -- the only way to servers of 2024-11-05
  return kind === 'sse' ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
}
