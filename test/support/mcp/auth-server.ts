import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that came, with its form or JSON as text. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly form: URLSearchParams;
}

/** How an authorization server behaves; may be changed while it runs. */
export interface AuthorityBehavior {
  /** Fields put over those of the metadata; `undefined` removes one. */
  metadata: Readonly<Record<string, unknown>>;
  /** Where the metadata are. */
  wellKnown: 'oauth' | 'openid' | 'none';
  iss: 'right' | 'absent' | 'wrong' | 'normalized';
  answer: 'code' | 'denied' | 'wrong-state' | 'no-state' | 'never';
  registration: 'open' | 'refused';
  /** Clients that were registered beforehand: their secrets by their id, `''` for none. */
  clients: Readonly<Record<string, string>>;
  /** What becomes of a refresh token: a new one comes with each answer, the first one stays, … */
  refresh: 'rotated' | 'kept' | 'refused' | 'broken' | 'absent';
  /** Seconds. */
  expiresIn: number | undefined;
  /** Granted in place of what was asked for. */
  grantedScope: string | undefined;
  token: 'bearer' | 'dpop' | 'unsendable' | 'huge' | 'slow' | 'echo' | 'no-json' | 'invalid-client';
}

/** A grant that an authorization server made. */
export interface IssuedToken {
  readonly scope: string;
  readonly resource: string | null;
  readonly client: string;
}

interface PendingCode extends IssuedToken {
  readonly challenge: string;
  readonly redirectUri: string;
}

/** An authorization server on this machine that checks all that a client has to do. */
export class TestAuthority {
  readonly behavior: AuthorityBehavior = {
    metadata: {},
    wellKnown: 'oauth',
    iss: 'absent',
    answer: 'code',
    registration: 'open',
    clients: {},
    refresh: 'rotated',
    expiresIn: 3_600,
    grantedScope: undefined,
    token: 'bearer',
  };
  readonly seen: SeenRequest[] = [];
  /** Access tokens that are valid. */
  readonly tokens = new Map<string, IssuedToken>();
  readonly refreshTokens = new Map<string, IssuedToken>();
  /** What was revoked. */
  readonly revoked: string[] = [];
  private readonly codes = new Map<string, PendingCode>();
  private readonly registered = new Set<string>();
  private readonly server: Server;
  private count = 0;

  private constructor() {
    this.server = createServer((request, response) => void answer(request, response, (seen) => this.reply(seen)));
  }

  static async start(): Promise<TestAuthority> {
    const authority = new TestAuthority();
    await listen(authority.server);
    return authority;
  }

  get issuer(): string {
    return originOf(this.server);
  }

  /** The requests for a path. */
  seenAt(path: string): readonly SeenRequest[] {
    return this.seen.filter((request) => request.path === path);
  }

  close(): Promise<void> {
    return stop(this.server);
  }

  private reply(request: SeenRequest): Reply | undefined {
    this.seen.push(request);
    switch (request.path) {
      case '/.well-known/oauth-authorization-server':
        return this.behavior.wellKnown === 'oauth' ? json(200, this.metadata()) : json(404, {});
      case '/.well-known/openid-configuration':
        return this.behavior.wellKnown === 'openid'
          ? json(200, {
              ...this.metadata(),
              jwks_uri: `${this.issuer}/jwks`,
              subject_types_supported: ['public'],
              id_token_signing_alg_values_supported: ['RS256'],
            })
          : json(404, {});
      case '/register':
        return this.register(request);
      case '/authorize':
        return this.authorize(request);
      case '/token':
        return this.token(request);
      case '/revoke':
        this.revoked.push(request.form.get('token') ?? '');
        return json(200, {});
      default:
        return json(404, {});
    }
  }

  private metadata(): Record<string, unknown> {
    const endpoint = (path: string): string => `${this.issuer}${path}`;
    return {
      issuer: this.issuer,
      authorization_endpoint: endpoint('/authorize'),
      token_endpoint: endpoint('/token'),
      registration_endpoint: endpoint('/register'),
      revocation_endpoint: endpoint('/revoke'),
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      ...this.behavior.metadata,
    };
  }

  private register({ body }: SeenRequest): Reply {
    if (this.behavior.registration === 'refused') return json(403, { error: 'access_denied', error_description: 'CANARY not for everyone' });
    const id = `client-${(this.count += 1)}-of-${this.issuer}`;
    this.registered.add(id);
    return json(201, { ...(JSON.parse(body) as Record<string, unknown>), client_id: id, client_id_issued_at: 1 });
  }

  private authorize({ query }: SeenRequest): Reply {
    const field = (name: string): string => query.get(name) ?? '';
    const client = field('client_id');
    const isKnown = this.registered.has(client) || client in this.behavior.clients || client.startsWith('https:');
    if (!isKnown || field('code_challenge_method') !== 'S256' || field('response_type') !== 'code') return json(400, { error: 'invalid_request' });
    if (this.behavior.answer === 'never') return json(200, {});
    const code = `code-${secret()}`;
    this.codes.set(code, {
      client,
      challenge: field('code_challenge'),
      redirectUri: field('redirect_uri'),
      scope: field('scope'),
      resource: query.get('resource'),
    });
    const target = new URL(field('redirect_uri'));
    if (this.behavior.answer === 'denied') {
      target.searchParams.set('error', 'access_denied');
      target.searchParams.set('error_description', 'CANARY call this number');
    } else target.searchParams.set('code', code);
    if (this.behavior.answer !== 'no-state') target.searchParams.set('state', this.behavior.answer === 'wrong-state' ? 'another' : field('state'));
    const iss = { right: this.issuer, absent: undefined, wrong: 'https://evil.example', normalized: `${this.issuer}/` }[this.behavior.iss];
    if (iss !== undefined) target.searchParams.set('iss', iss);
    return { status: 302, headers: { Location: target.href } };
  }

  private token({ form, headers }: SeenRequest): Reply | undefined {
    const { token } = this.behavior;
    if (token === 'slow') return undefined;
    if (token === 'no-json') return json(200, `this is no JSON but ${form.get('code')}`);
    if (token === 'echo') return json(400, { error: 'CANARY', error_description: `refused: ${form.toString()}` });
    if (token === 'invalid-client') return json(401, { error: 'invalid_client' });
    if (!this.isClient(form, headers)) return json(401, { error: 'invalid_client' });
    if (form.get('grant_type') === 'refresh_token') return this.renew(form);
    const code = this.codes.get(form.get('code') ?? '');
    this.codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isRight = code?.challenge === challenge && code.redirectUri === form.get('redirect_uri') && code.resource === form.get('resource');
    if (code === undefined || !isRight) return json(400, { error: 'invalid_grant' });
    return this.give(code);
  }

  private renew(form: URLSearchParams): Reply {
    const { refresh } = this.behavior;
    const given = form.get('refresh_token') ?? '';
    const issued = this.refreshTokens.get(given);
    if (refresh === 'broken') return json(503, { error: 'temporarily_unavailable' });
    if (refresh === 'refused' || issued === undefined) return json(400, { error: 'invalid_grant' });
    if (refresh === 'rotated') this.refreshTokens.delete(given);
    return this.give(issued);
  }

  private give({ scope, resource, client }: IssuedToken): Reply {
    const { token, refresh, expiresIn, grantedScope } = this.behavior;
    const issued: IssuedToken = { scope: grantedScope ?? scope, resource, client };
    const [access, next] = [token === 'unsendable' ? 'broken\r\nX-Evil: 1' : `access-${secret()}`, `refresh-${secret()}`];
    this.tokens.set(access, issued);
    const isNew = refresh !== 'absent' && refresh !== 'kept';
    if (isNew) this.refreshTokens.set(next, issued);
    return json(200, {
      access_token: access,
      token_type: token === 'dpop' ? 'DPoP' : 'Bearer',
      ...(isNew && { refresh_token: next }),
      ...(expiresIn !== undefined && { expires_in: expiresIn }),
      ...(issued.scope !== '' && { scope: issued.scope }),
      ...(token === 'huge' && { padding: 'x'.repeat(2_000_000) }),
    });
  }

  private isClient(form: URLSearchParams, { authorization }: IncomingMessage['headers']): boolean {
    const basic = /^Basic (.+)$/.exec(authorization ?? '')?.[1];
    const [id, given] = basic === undefined ? [form.get('client_id'), form.get('client_secret')] : Buffer.from(basic, 'base64').toString().split(':');
    if (typeof id !== 'string') return false;
    return id in this.behavior.clients ? (given ?? '') === this.behavior.clients[id] : this.registered.has(id) || id.startsWith('https:');
  }
}

/** How a protected server behaves; may be changed while it runs. */
export interface ResourceBehavior {
  authorizationServers: readonly string[];
  /** Fields put over those of the metadata. */
  metadata: Readonly<Record<string, unknown>>;
  hasMetadata: boolean;
  /** Whether the first refusal says where the metadata are, and where. */
  metadataUrl: string | undefined;
  /** That the refusals name. */
  challengeScope: string | undefined;
  requiredScope: string | undefined;
  /** Whether a token is valid. */
  accepts: (token: string) => IssuedToken | undefined;
  /** Whether it answers messages, as a server of revision 2025-11-25 with one tool; it only takes them otherwise, with 202. */
  speaks: boolean;
}

/** A server whose `/mcp` wants a bearer token. */
export class TestResource {
  readonly seen: SeenRequest[] = [];
  private readonly server: Server;

  private constructor(readonly behavior: ResourceBehavior) {
    this.server = createServer((request, response) => void answer(request, response, (seen) => this.reply(seen)));
  }

  static async start(authority: TestAuthority): Promise<TestResource> {
    const resource = new TestResource({
      authorizationServers: [authority.issuer],
      metadata: {},
      hasMetadata: true,
      metadataUrl: undefined,
      challengeScope: undefined,
      requiredScope: undefined,
      accepts: (token) => authority.tokens.get(token),
      speaks: false,
    });
    await listen(resource.server);
    return resource;
  }

  get origin(): string {
    return originOf(this.server);
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  /** The tokens that came, in order. */
  get sentTokens(): readonly (string | undefined)[] {
    return this.seen.filter(({ path }) => path === '/mcp').map(({ headers }) => headers.authorization?.replace('Bearer ', ''));
  }

  close(): Promise<void> {
    return stop(this.server);
  }

  private reply(request: SeenRequest): Reply | undefined {
    this.seen.push(request);
    const { behavior } = this;
    if (request.path === '/.well-known/oauth-protected-resource/mcp' && behavior.hasMetadata) {
      return json(200, { resource: this.url, authorization_servers: behavior.authorizationServers, ...behavior.metadata });
    }
    if (request.path !== '/mcp') return json(404, {});
    const token = behavior.accepts(request.headers.authorization?.replace('Bearer ', '') ?? '');
    if (token === undefined) return this.refuse(401, undefined);
    const scopes = token.scope.split(' ');
    if (behavior.requiredScope !== undefined && !scopes.includes(behavior.requiredScope)) return this.refuse(403, 'insufficient_scope');
    return behavior.speaks ? spoken(request) : { status: 202 };
  }

  private refuse(status: number, error: string | undefined): Reply {
    const { metadataUrl, challengeScope } = this.behavior;
    const fields = [
      error && `error="${error}"`,
      challengeScope && `scope="${challengeScope}"`,
      metadataUrl && `resource_metadata="${metadataUrl}"`,
      'realm="test"',
    ];
    return { status, headers: { 'WWW-Authenticate': `Bearer ${fields.filter((field) => field !== undefined && field !== '').join(', ')}` } };
  }
}

/** What the tool `secret` of a server that speaks says. */
export const SECRET = 'The secret is heliotrope.';

function spoken({ method, body }: SeenRequest): Reply {
  if (method !== 'POST') return { status: 405 };
  const message = JSON.parse(body) as { readonly id?: number | string; readonly method?: string };
  if (message.id === undefined) return { status: 202 };
  const results: Readonly<Record<string, unknown>> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'protected', version: '1.0.0' } },
    'tools/list': { tools: [{ name: 'secret', description: 'Tells the secret.', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: SECRET }] },
    ping: {},
  };
  const result = results[message.method ?? ''];
  if (result === undefined) return json(400, { jsonrpc: '2.0', id: message.id, error: { code: -32_601, message: 'Method not found' } });
  return json(200, { jsonrpc: '2.0', id: message.id, result });
}

/** What a server answers. */
interface Reply {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

function json(status: number, value: unknown): Reply {
  return { status, headers: { 'Content-Type': 'application/json' }, body: typeof value === 'string' ? value : JSON.stringify(value) };
}

/** @param reply gives the answer; `undefined`: none ever comes */
async function answer(incoming: IncomingMessage, response: ServerResponse, reply: (request: SeenRequest) => Reply | undefined): Promise<void> {
  const given = reply(await readRequest(incoming));
  if (given !== undefined) response.writeHead(given.status, given.headers).end(given.body);
}

function secret(): string {
  return randomBytes(12).toString('base64url');
}

async function readRequest(request: IncomingMessage): Promise<SeenRequest> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const url = new URL(request.url ?? '/', 'http://test');
  return { method: request.method ?? '', path: url.pathname, query: url.searchParams, headers: request.headers, body, form: new URLSearchParams(body) };
}

function listen(server: Server): Promise<void> {
  return new Promise((done) => server.listen(0, '127.0.0.1', done));
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
}
