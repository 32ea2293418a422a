import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, isIP, type LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Duplex } from 'node:stream';
import { type AllowAddress, checkedLookup, checkHost, isPublicAddress, type Resolve } from '../web/public-address.js';

/** How long connecting may take, in milliseconds. */
const CONNECT_MS = 30_000;

/** What a proxy lets through. */
export interface ProxyOptions {
  /** Hosts such as `example.com`, `*.example.com` for those below it. */
  readonly hosts: readonly string[];
  /** Which addresses may be connected to; public ones unless given. */
  readonly allow?: AllowAddress;
  readonly resolve?: Resolve;
}

/**
 * The way out of the sandbox for commands that may reach some hosts: a proxy for HTTP, with `CONNECT` for all else. A name counts
 * as written; where it leads must be on the public internet, so that no name opens the private network.
 */
export class HostProxy {
  private constructor(
    private readonly server: Server,
    /** Where it listens: a port of 127.0.0.1, or the path of a socket. */
    readonly at: number | string,
    /** The folder of its socket. */
    private readonly folder: string | undefined,
  ) {}

  /** @param listensAt a socket in a folder of its own, or a port that is free */
  static async start(options: ProxyOptions, listensAt: 'socket' | 'port'): Promise<HostProxy> {
    const gate = gateOf(options);
    const server = createServer((message, response) => forward(message, response, gate));
    server.on('connect', (message: IncomingMessage, near: Duplex) => tunnel(message, near, gate));
    // It must not keep the process alive: commands end with that.
    server.unref();
    // A path for a socket may be no longer than about 100 characters; one of a storage often is.
    const folder = listensAt === 'socket' ? await mkdtemp(join(tmpdir(), 'gnomon-')) : undefined;
    const path = folder && join(folder, 'proxy');
    server.listen(path === undefined ? { port: 0, host: '127.0.0.1' } : { path });
    await once(server, 'listening');
    return new HostProxy(server, path ?? (server.address() as AddressInfo).port, folder);
  }

  /** Ends it, with all connections. At once, as it is called when the extension host ends. */
  close(): void {
    this.server.close();
    this.server.closeAllConnections();
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Where a connection goes, and all that it goes by. */
interface CheckedTarget {
  /** The one name or address that was checked. */
  readonly host: string;
  readonly port: number;
  /** Finds the addresses of that name, whatever name it is asked for. */
  readonly lookup: LookupFunction;
}

/** Checks an address with a scheme and no path. @throws Error for one that may not be reached. */
type HostGate = (address: URL) => CheckedTarget;

function gateOf({ hosts, allow = isPublicAddress, resolve = (host) => lookup(host, { all: true, verbatim: true }) }: ProxyOptions): HostGate {
  const patterns = hosts.flatMap((pattern) => patternOf(pattern) ?? []);
  return ({ hostname, port, protocol, username, password }) => {
    const host = canonicalHost(hostname);
    if (protocol !== 'http:' || username !== '' || password !== '' || host === undefined) throw new Error(`${hostname} cannot be reached this way.`);
    const isNamed = patterns.some(({ below, name }) => (below ? host.endsWith(`.${name}`) : host === name));
    if (!isNamed) throw new Error(`${host} is not among the hosts of the setting gnomon.commands.hosts.`);
    checkHost(host, allow);
    const checked = checkedLookup(host, resolve, allow);
    return { host, port: Number(port === '' ? 80 : port), lookup: (_, options, callback) => checked(host, options, callback) };
  };
}

function patternOf(pattern: string): { readonly below: boolean; readonly name: string } | undefined {
  const below = pattern.startsWith('*.');
  const name = canonicalHost(below ? pattern.slice(2) : pattern);
  return name === undefined ? undefined : { below, name };
}

/**
 * The one spelling of a host: without the dot at the end that DNS allows, without brackets, and as URLs have it, which is in lower case and
 * ASCII, with numbers as addresses. `undefined` for what has no such spelling. Source: url.spec.whatwg.org, host parsing.
 */
function canonicalHost(host: string): string | undefined {
  const name = host.replace(/\.$/, '');
  const text = isIP(name) === 6 ? `[${name}]` : name;
  if (/[\s/?#@\\:%]/.test(text.replace(/^\[.*\]$/, '')) || !URL.canParse(`http://${text}/`)) return undefined;
  const { hostname } = new URL(`http://${text}/`);
  const hasEmptyLabel = hostname.split('.').includes('');
  return hasEmptyLabel ? undefined : unbracketed(hostname);
}

/** What a request for a tunnel names: a host and its port, and nothing else. Source: RFC 9110, 9.3.6. */
const TUNNEL = /^(?:\[[\da-f:.]+\]|[^\s/?#@\\:[\]%]+):\d{1,5}$/i;

function tunnel({ url = '' }: IncomingMessage, near: Duplex, gate: HostGate): void {
  near.on('error', () => near.destroy());
  try {
    if (!TUNNEL.test(url)) throw new Error('A tunnel needs a host and a port.');
    const far = connect({ ...gate(new URL(`http://${url}`)), timeout: CONNECT_MS, allowHalfOpen: true });
    far.once('connect', () => {
      far.setTimeout(0);
      near.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      near.pipe(far).pipe(near);
    });
    far.once('timeout', () => far.destroy());
    far.on('error', () => near.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    near.once('close', () => far.destroy());
  } catch (error) {
    near.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${reason(error)}\n`);
  }
}

function forward(message: IncomingMessage, response: ServerResponse, gate: HostGate): void {
  try {
    const address = new URL(message.url ?? '');
    const target = gate(address);
    const passed = Object.fromEntries(Object.entries(message.headers).filter(([name]) => !name.startsWith('proxy-')));
    // A server that has several names answers for the one that was checked.
    const headers = { ...passed, host: `${isIP(target.host) === 6 ? `[${target.host}]` : target.host}${address.port === '' ? '' : `:${address.port}`}` };
    const onward = request({ ...target, path: address.pathname + address.search, method: message.method, headers, timeout: CONNECT_MS, agent: false });
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.once('timeout', () => onward.destroy());
    onward.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()));
    response.once('close', () => onward.destroy());
    message.pipe(onward);
  } catch (error) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end(`${reason(error)}\n`);
  }
}

function unbracketed(host: string): string {
  return host.replace(/^\[|\]$/g, '');
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The port in the sandbox at which the proxy outside of it is reached. */
const PORT = 18_128;

/** Takes connections at the port to a socket, and says when it listens. Run by the program that runs Gnomon, which is a Node.js. */
const PROGRAM =
  "const net = require('net'); net.createServer({ allowHalfOpen: true }, (near) => { " +
  'const far = net.connect({ path: process.argv[1], allowHalfOpen: true }); near.pipe(far).pipe(near); ' +
  `for (const end of [near, far]) end.on('error', () => { near.destroy(); far.destroy(); }); }).listen(${PORT}, '127.0.0.1', () => console.log('ready'));`;
/** Starts that, waits until it listens, and becomes the command. */
const SCRIPT = 'exec 3< <(ELECTRON_RUN_AS_NODE=1 exec "$0" -e "$1" "$2" 2>/dev/null); read -r -u 3; exec 3<&-; shift 2; exec "$@"';

/** The folder that has to be readable for it. */
export const RELAY_FOLDER = dirname(process.execPath);

/** A command with what lets it reach a proxy that listens at a socket, where there is no network but the own one. */
export function relayed(socket: string, command: readonly string[]): readonly string[] {
  return ['/bin/bash', '--noprofile', '--norc', '-c', SCRIPT, process.execPath, PROGRAM, socket, ...command];
}

/** The variables by which programs know a proxy; it listens at this port of 127.0.0.1. */
export function proxyVariables(port: number = PORT): Readonly<Record<string, string>> {
  const address = `http://127.0.0.1:${port}`;
  const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'npm_config_proxy', 'npm_config_https_proxy'];
  // Node.js 24 and later use the variables when `NODE_USE_ENV_PROXY` is set.
  return {
    ...Object.fromEntries(names.map((name) => [name, address])),
    NO_PROXY: 'localhost,127.0.0.1',
    no_proxy: 'localhost,127.0.0.1',
    NODE_USE_ENV_PROXY: '1',
  };
}
