import { lookup } from 'node:dns/promises';
import * as http from 'node:http';
import type { IncomingMessage } from 'node:http';
import * as https from 'node:https';
import { BlockList, isIP } from 'node:net';
import { isAbortError, ToolInputError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import { isThisMachine, type McpSignInFetch } from '../../domain/mcp/sign-in.js';
import { checkedLookup, isLocalName, isPublicAddress, type Resolve } from '../web/public-address.js';

/** Everything together, from the first connection to the last byte, in milliseconds. */
const TIME_LIMIT_MS = 20_000;
/** Size of an answer in bytes. The largest that are known, metadata with thousands of scopes, are below 100 KB. */
const SIZE_LIMIT = 512 * 1024;
/** Statuses whose answers have no body; `Response` refuses one. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/** What can be replaced. */
export interface SignInFetchOptions {
  /** Left out: as the system resolves names. */
  readonly resolve?: Resolve;
  readonly timeLimitMs?: number;
}

/** What kind of place an address is in. */
type AddressKind = 'public' | 'private' | 'loopback' | 'reserved';

const LOOPBACK = blockList(['127.0.0.0/8'], ['::1/128']);
/** Networks of companies and homes. Source: RFC 1918, 6598, 4193. Link-local ones, where clouds keep their metadata, are not among these. */
const PRIVATE = blockList(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'], ['fc00::/7']);
/** Addresses in these networks that hand out credentials of a cloud: AWS over IPv6, Alibaba Cloud. */
const METADATA_SERVICES: ReadonlySet<string> = new Set(['fd00:ec2::254', '100.100.100.200']);

/** The kind of an address of version 4 in its usual form, or of version 6 without brackets. What is no address is `reserved`. */
export function addressKind(address: string): AddressKind {
  const version = isIP(address);
  if (version === 0 || METADATA_SERVICES.has(address)) return 'reserved';
  const type = version === 4 ? 'ipv4' : 'ipv6';
  // A list of version 4 also finds such addresses in the form `::ffff:127.0.0.1`.
  if (LOOPBACK.check(address, type)) return 'loopback';
  if (PRIVATE.check(address, type)) return 'private';
  return isPublicAddress(address) ? 'public' : 'reserved';
}

/**
 * The kinds of place that a host leads to. A name that cannot be looked up, as behind a proxy, is judged by how it is written.
 * @param host `URL.hostname`
 */
export async function hostKinds(host: string, resolve: Resolve): Promise<ReadonlySet<AddressKind>> {
  if (isThisMachine(host)) return new Set(['loopback']);
  const name = bare(host);
  if (isIP(name) !== 0) return new Set([addressKind(name)]);
  try {
    return new Set((await resolve(name)).map(({ address }) => addressKind(address)));
  } catch {
    return new Set([isLocalName(name) ? 'private' : 'public']);
  }
}

/** A host without the brackets of an address and without the dot at the end of a name. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function blockList(networks4: readonly string[], networks6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const [networks, type] of [
    [networks4, 'ipv4'],
    [networks6, 'ipv6'],
  ] as const) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      list.addSubnet(address, Number(bits), type);
    }
  }
  return list;
}

/** The places that requests for a server may go to. */
interface Wall {
  readonly kinds: ReadonlySet<AddressKind>;
  readonly resolve: Resolve;
}

/**
 * Requests whose addresses a server or its authorization server named, over Node’s own http, which VS Code gives the user’s
 * proxy and certificates. They go over `https:` and to public addresses only; beside that to the kind of place in which the
 * server itself is: on this machine, where `http:` will do, or in a private network. Names are looked up once and the
 * connection goes to the address that was checked; behind a proxy, which looks names up itself, only how a host is
 * written can be checked. Redirects are not followed. Rejects with {@link McpError}, or with an AbortError.
 */
export function createSignInFetch({ resolve = resolveAll, timeLimitMs = TIME_LIMIT_MS }: SignInFetchOptions = {}): McpSignInFetch {
  return (server) =>
    async (address, init = {}) => {
      const url = new URL(address);
      const limit = AbortSignal.timeout(timeLimitMs);
      const signal = init.signal === null || init.signal === undefined ? limit : AbortSignal.any([init.signal, limit]);
      try {
        const wall = await placesOf(server, resolve);
        checkAddress(url, wall);
        return await request(url, { ...init, signal }, wall);
      } catch (error) {
        init.signal?.throwIfAborted();
        throw limit.aborted ? new McpError('timeout', t('{0} did not answer within {1} seconds.', url.host, timeLimitMs / 1_000)) : problem(url, error);
      }
    };
}

function resolveAll(host: string): ReturnType<Resolve> {
  return lookup(host, { all: true, verbatim: true });
}

/** A place that is not public counts only if all addresses of the server are of its kind, and this machine only if it is written as such. */
async function placesOf(server: URL, resolve: Resolve): Promise<Wall> {
  const [kind, ...others] = await hostKinds(server.hostname, resolve);
  const own = others.length === 0 && (kind === 'private' || (kind === 'loopback' && isThisMachine(server.hostname))) ? [kind] : [];
  return { kinds: new Set<AddressKind>(['public', ...own]), resolve };
}

function checkAddress(url: URL, { kinds }: Wall): void {
  const name = bare(url.hostname);
  const loopback = isThisMachine(url.hostname);
  if (url.username !== '' || url.password !== '') throw refused(url);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && loopback && kinds.has('loopback'))) {
    throw new McpError('refused', t('{0} is not an https: address. Gnomon does not sign in over connections that others can read.', url.origin));
  }
  if (loopback ? !kinds.has('loopback') : isIP(name) !== 0 ? !kinds.has(addressKind(name)) : isLocalName(name) && !kinds.has('private')) throw refused(url);
}

async function request(url: URL, init: RequestInit & { readonly signal: AbortSignal }, { kinds, resolve }: Wall): Promise<Response> {
  const send = url.protocol === 'https:' ? https.request : http.request;
  const headers = { 'user-agent': 'Gnomon', ...Object.fromEntries(new Headers(init.headers)), 'accept-encoding': 'identity' };
  // Text and forms are all that signing in sends.
  const body = typeof init.body === 'string' || init.body instanceof URLSearchParams ? String(init.body) : undefined;
  const answer = await new Promise<IncomingMessage>((done, fail) => {
    const allowed = (address: string): boolean => kinds.has(addressKind(address));
    const sent = send(url, { method: init.method ?? 'GET', headers, signal: init.signal, agent: false, lookup: checkedLookup(url.hostname, resolve, allowed) });
    sent.once('response', done);
    // Errors after the answer has begun are those of its body; they come out where that is read.
    sent.on('error', fail);
    sent.end(body);
  });
  return responseOf(url, answer);
}

async function responseOf(url: URL, answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer) {
      size += (chunk as Buffer).length;
      if (size > SIZE_LIMIT) throw new McpError('protocol', t('The answer of {0} is too large.', url.host));
      chunks.push(chunk as Buffer);
    }
  } finally {
    answer.destroy();
  }
  const status = answer.statusCode ?? 0;
  if (status < 200 || status > 599 || !['', 'identity'].includes(answer.headers['content-encoding'] ?? '')) throw unreadable(url);
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headersDistinct)) for (const value of values ?? []) headers.append(name, value);
  return new Response(BODILESS.has(status) ? null : Buffer.concat(chunks), { status, headers });
}

/** Error message for the user. Texts of the network are left out, since some contain what was sent. */
function problem(url: URL, error: unknown): unknown {
  if (error instanceof McpError || isAbortError(error)) return error;
  if (error instanceof ToolInputError) return refused(url);
  return new McpError('unreachable', t('{0} cannot be reached.', url.host));
}

function refused(url: URL): McpError {
  return new McpError('refused', t('{0} is this machine or in a private network, where a server elsewhere must not send Gnomon.', url.host));
}

function unreadable(url: URL): McpError {
  return new McpError('protocol', t('The answer of {0} cannot be read.', url.host));
}
