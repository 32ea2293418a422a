/**
 * The hostile server over HTTP: Streamable HTTP of both eras at `/mcp`, the transport before it at `/sse`, and an authorization server.
 * As a program: `node http.mjs <trick> [argument]` prints a line of JSON with its addresses, and ends with its input.
 */
import { createServer } from 'node:http';
import { pathToFileURL } from 'node:url';
import { Behavior, serialize } from './behavior.mjs';
import { CALL_TRICKS } from './call-tricks.mjs';
import { LIST_TRICKS } from './list-tricks.mjs';
import { NET_TRICKS } from './net-tricks.mjs';

/**
 * @typedef {import('node:http').IncomingMessage} Request
 * @typedef {import('node:http').ServerResponse} Response
 * @typedef {{ readonly method: string, readonly path: string, readonly headers: import('node:http').IncomingHttpHeaders, readonly body: string }} SeenRequest
 * @typedef {object} HostileHttp A running server; nothing outside this machine can reach it.
 * @property {string} origin
 * @property {string} url of the Streamable HTTP transport
 * @property {string} sseUrl of the transport before it
 * @property {readonly SeenRequest[]} requests that have arrived, in their order
 * @property {readonly SeenRequest[]} elsewhere requests at the other origin, where it redirects
 * @property {() => Promise<void>} close
 */

/**
 * Starts the server with a trick.
 * @param {string} name
 * @param {string} [argument] of the trick; its own origin unless given
 * @returns {Promise<HostileHttp>}
 */
export async function startHostileHttp(name, argument) {
  const behavior = { ...LIST_TRICKS, ...CALL_TRICKS }[name];
  const net = NET_TRICKS[name];
  if (behavior === undefined && net === undefined) throw new Error(`There is no trick ${name} over HTTP.`);
  const elsewhere = await listen(({ response }) => json(response, 404, {}));
  const site = new Site(behavior ?? net?.behavior ?? {}, net ?? {});
  const main = await listen((arrival) => site.handle(arrival));
  site.origin = main.origin;
  site.argument = argument ?? main.origin;
  site.elsewhere = elsewhere.origin;
  return {
    origin: main.origin,
    url: `${main.origin}/mcp`,
    sseUrl: `${main.origin}/sse`,
    requests: main.requests,
    elsewhere: elsewhere.requests,
    close: async () => {
      await Promise.all([main.close(), elsewhere.close()]);
    },
  };
}

/** @typedef {{ request: Request, response: Response, seen: SeenRequest }} ConversationSwitch */

/** Answers requests. */
class Site {
  /**
   * @param {import('./behavior.mjs').Trick} trick
   * @param {import('./net-tricks.mjs').NetTrick} net
   */
  constructor(trick, net) {
    this.trick = trick;
    this.net = net;
    this.origin = '';
    this.argument = '';
    this.elsewhere = '';
    this.sessions = 0;
    /** @type {Map<string, Session>} */
    this.live = new Map();
    /** One for all requests of the modern era, which has no sessions. */
    this.stateless = this.createSession();
  }

  /** @param {ConversationSwitch} arrival */
  handle({ request, response, seen }) {
    const { net } = this;
    const path = seen.path.replace(/\?.*/, '');
    if (net.status !== undefined) json(response, net.status, { error: 'Out of order' });
    else if (path.startsWith('/.well-known/') || path === '/register' || path === '/token') this.authorize(path, response);
    else if (path !== '/mcp' && path !== '/sse' && path !== '/messages') json(response, 404, {});
    else if (net.redirects === true) response.writeHead(307, { location: `${this.elsewhere}${seen.path}` }).end();
    else if (net.authorization !== undefined && request.headers.authorization === undefined) {
      response.setHeader('www-authenticate', `Bearer resource_metadata="${this.origin}/.well-known/oauth-protected-resource/mcp"`);
      json(response, 401, {});
    } else if (path === '/mcp') this.streamable(request, response, seen);
    else this.oldTransport(path, response, seen);
  }

  /** @param {string} path @param {Response} response The authorization server. */
  authorize(path, response) {
    const { origin, net } = this;
    if (net.authorization === undefined) json(response, 404, {});
    else if (path.startsWith('/.well-known/oauth-protected-resource'))
      json(response, 200, { resource: `${origin}/mcp`, authorization_servers: net.authorizationServers ?? [origin] });
    else if (path === '/register') json(response, 201, { client_id: 'hostile-client', redirect_uris: ['http://127.0.0.1/callback'] });
    else if (path === '/token') json(response, 200, { access_token: 'hostile-token', token_type: 'Bearer' });
    else
      json(response, 200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        ...net.authorization(origin),
      });
  }

  /** @param {Request} request @param {Response} response @param {SeenRequest} seen */
  streamable(request, response, seen) {
    const id = String(request.headers['mcp-session-id'] ?? '');
    const known = this.live.get(id);
    if (seen.method === 'DELETE') {
      this.live.delete(id);
      response.writeHead(200).end();
    } else if (id !== '' && known === undefined) json(response, 404, { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'Session not found' } });
    else if (seen.method === 'POST') this.post(known, response, JSON.parse(seen.body));
    else if (known === undefined) json(response, 405, {});
    else known.listen(response);
  }

  /** @param {Session | undefined} known @param {Response} response @param {import('./behavior.mjs').Message} message */
  post(known, response, message) {
    const legacy = this.stateless.behavior.era === 'legacy';
    // An older server does not know the probe, and says so with 400.
    if (legacy && message.method === 'server/discover')
      json(response, 400, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
    else if (legacy && message.method === 'initialize') this.begin().post(message, response);
    else (known ?? this.stateless).post(message, response);
    if (this.net.forgets === true && message.method === 'tools/call' && known?.behavior.calls === 1) this.live.delete(known.id);
  }

  /** @param {string} path @param {Response} response @param {SeenRequest} seen The transport of 2024-11-05. */
  oldTransport(path, response, seen) {
    if (path === '/sse' && seen.method === 'GET') {
      const session = this.begin();
      session.listen(response);
      response.write(`event: endpoint\ndata: /messages?session=${session.id}\n\n`);
      return;
    }
    const session = this.live.get(new URL(seen.path, this.origin).searchParams.get('session') ?? '');
    if (session === undefined) json(response, path === '/sse' ? 405 : 404, {});
    else {
      response.writeHead(202).end();
      session.receive(JSON.parse(seen.body));
    }
  }

  begin() {
    const session = this.createSession();
    this.live.set(session.id, session);
    return session;
  }

  createSession() {
    this.sessions += 1;
    return new Session(`session-${this.sessions}`, new Behavior(this.trick, this.argument), this.net.cuts === true);
  }
}

/** One client, as far as it can be told. */
class Session {
  /** @param {string} id @param {Behavior} behavior @param {boolean} cuts */
  constructor(id, behavior, cuts) {
    this.id = id;
    this.behavior = behavior;
    this.cuts = cuts;
    /** @type {Response | undefined} The stream for what belongs to no request. */
    this.stream = undefined;
  }

  /** @param {Response} response */
  listen(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    this.stream = response;
    response.on('close', () => {
      if (this.stream === response) this.stream = undefined;
    });
  }

  /** @param {import('./behavior.mjs').Message} message Answers over the stream. */
  receive(message) {
    this.behavior.receive(
      message,
      (sent) => this.stream?.write(event(sent)),
      () => undefined,
    );
  }

  /** @param {import('./behavior.mjs').Message} message @param {Response} response Answers over the response, which ends with the answer. */
  post(message, response) {
    if (message.id === undefined || message.method === undefined) {
      response.writeHead(202).end();
      this.receive(message);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', ...(message.method === 'initialize' && { 'mcp-session-id': this.id }) }).flushHeaders();
    const cut = this.cuts && message.method === 'tools/call';
    /** @param {import('./behavior.mjs').Json} sent */
    const send = (sent) => {
      if (response.writableEnded) this.stream?.write(event(sent));
      else if (cut) response.write(event(sent).slice(0, 20), () => response.destroy());
      else {
        response.write(event(sent));
        if (sent['id'] === message.id && sent['method'] === undefined) response.end();
      }
    };
    this.behavior.receive(message, send, () => undefined);
  }
}

/** @param {import('./behavior.mjs').Json} message */
function event(message) {
  return `event: message\ndata: ${serialize(message)}\n\n`;
}

/** @param {Response} response @param {number} status @param {object} body */
function json(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** @param {(arrival: ConversationSwitch) => void} handle */
async function listen(handle) {
  /** @type {SeenRequest[]} */
  const requests = [];
  const server = createServer((request, response) => {
    response.on('error', () => undefined); // A client that went away is none of our business.
    let body = '';
    request.setEncoding('utf8').on('data', (/** @type {string} */ piece) => (body += piece));
    request.on('end', () => {
      const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      requests.push(seen);
      handle({ request, response, seen });
    });
  });
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve())));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  /** @type {() => Promise<void>} */
  const close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin: `http://127.0.0.1:${port}`, requests, close };
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [name = 'well-behaved', argument] = process.argv.slice(2);
  const { url, sseUrl, close } = await startHostileHttp(name, argument);
  process.stdout.write(`${JSON.stringify({ url, sseUrl })}\n`);
  process.stdin.on('end', () => void close().then(() => process.exit(0))).resume();
}
