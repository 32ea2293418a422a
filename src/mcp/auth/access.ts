import type { AuthProvider } from '@modelcontextprotocol/client';
import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpFetch } from '../../domain/mcp/sign-in.js';
import { isWithin } from './addresses.js';
import type { Challenges } from './challenges.js';
import { authProblem } from './auth-problem.js';
import { discover, type Sdk } from './discovery.js';
import { type Grant, type Grants, keyOf, type Tokens } from './grants.js';
import type { Renewals } from './renewal.js';

/** So long before its end, in milliseconds, a token is renewed: a request takes time to arrive, and clocks differ. */
const EARLY_MS = 60_000;
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;

/**
 * Access tokens for one connection. Connecting never asks the user for anything: where only the user can help, it fails
 * with an {@link McpError} `unauthorized`.
 */
export interface McpAccess extends AuthProvider {
  /** The access token; `undefined` when there is none. @throws McpError */
  token(): Promise<string | undefined>;
  /** Renews the token after a request was refused with it, if that is possible. @throws McpError `unauthorized` if not */
  onUnauthorized(context: { readonly response: Response }): Promise<void>;
  /**
   * The `fetch` for requests to the server. It keeps the token from everything but the resource that it is for, and remembers which
   * permissions a request lacked, for the next sign-in.
   * @param reach `origin` for the transport before Streamable HTTP, whose messages go to another path of the same origin
   */
  fetch(base: McpFetch, reach?: 'resource' | 'origin'): McpFetch;
}

/** Services that access tokens come from. */
export interface AccessTools {
  readonly loadSdk: () => Promise<Sdk>;
  readonly request: McpFetch;
  readonly grants: Grants;
  readonly renewals: Renewals;
  readonly challenges: Challenges;
}

/** A server, as far as access to it is concerned. */
export interface AccessTarget {
  readonly name: string;
  readonly url: URL;
  /** Of its configuration; tokens of another client do not count. */
  readonly clientId: string | undefined;
}

/** {@link McpAccess} with the tokens in the secret storage. */
export class StoredAccess implements McpAccess {
  private handed: Grant | undefined;
  /** The newest token with which a request was refused. */
  private refused: string | undefined;
  /** All that were handed out: a request may still carry one that has been renewed meanwhile. */
  private readonly tokens = new Map<string, Tokens>();

  constructor(
    private readonly server: AccessTarget,
    private readonly tools: AccessTools,
  ) {}

  async token(): Promise<string | undefined> {
    this.handed = await this.fresh(await this.current());
    const tokens = this.handed?.tokens;
    if (tokens !== undefined) this.tokens.set(tokens.access, tokens);
    return tokens?.access;
  }

  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const sdk = await this.tools.loadSdk();
    const { metadataUrl } = this.tools.challenges.refused(sdk, this.server.url, response);
    const stale = this.refused ?? this.handed?.tokens?.access;
    const grant = await this.current();
    if (grant?.tokens !== undefined) {
      // Another request or window has renewed it meanwhile.
      if (grant.tokens.access !== stale) return;
      if ((await this.isStillFor(sdk, grant, metadataUrl)) && (await this.renewed(grant, stale)) !== undefined) return;
    }
    throw new McpError('unauthorized', t('{0} wants you to sign in.', this.server.name), { code: UNAUTHORIZED });
  }

  fetch(base: McpFetch, reach: 'resource' | 'origin' = 'resource'): McpFetch {
    return async (target, init) => {
      const headers = new Headers(init?.headers);
      const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1];
      const carried = token === undefined ? undefined : this.tokens.get(token);
      if (carried !== undefined && !mayCarry(new URL(target), this.server.url, this.handed?.resource, reach)) headers.delete('authorization');
      const response = await base(target, { ...init, headers });
      if (response.status === UNAUTHORIZED && carried !== undefined) this.refused = token;
      const problem =
        response.status === FORBIDDEN
          ? this.tools.challenges.lacking(await this.tools.loadSdk(), { url: this.server.url, response, granted: carried?.scope })
          : undefined;
      if (problem === undefined) return response;
      // The connection is otherwise held.
      await response.body?.cancel();
      throw problem;
    };
  }

  private async current(): Promise<Grant | undefined> {
    const { url, clientId } = this.server;
    const grant = await this.tools.grants.ofServer(url);
    return grant !== undefined && (clientId === undefined || grant.client.id === clientId) ? grant : undefined;
  }

  private async fresh(grant: Grant | undefined): Promise<Grant | undefined> {
    const { access, refresh, expiresAt = Infinity } = grant?.tokens ?? {};
    // A token that cannot be renewed is used to its end: the server decides.
    if (grant === undefined || access === undefined || refresh === undefined || expiresAt - EARLY_MS > Date.now()) return grant;
    try {
      return await this.renewed(grant, access);
    } catch (error) {
      if (expiresAt > Date.now()) return grant;
      throw error;
    }
  }

  private async renewed(grant: Grant, stale: string): Promise<Grant | undefined> {
    const { loadSdk, renewals, request } = this.tools;
    return renewals.renew(await loadSdk(), { name: this.server.name, key: keyOf(grant), stale }, request);
  }

  /** Whether the server has not moved to another authorization server, which must never see what is of this one. */
  private async isStillFor(sdk: Sdk, { authority, resource }: Grant, metadataUrl: URL | undefined): Promise<boolean> {
    try {
      const found = await discover(sdk, this.server.url, metadataUrl, this.tools.request);
      return found.issuer === authority.issuer && found.resource === resource;
    } catch (error) {
      throw authProblem(sdk, this.server.name, error);
    }
  }
}

function mayCarry(target: URL, server: URL, resource: string | undefined, reach: 'resource' | 'origin'): boolean {
  if (target.origin !== server.origin) return false;
  return reach === 'origin' || (resource !== undefined && isWithin(target, new URL(resource)));
}
