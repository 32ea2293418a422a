import type { AuthProvider } from '@modelcontextprotocol/client';
import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpFetch } from '../../domain/mcp/sign-in.js';
import { isWithin } from './addresses.js';
import type { Challenges } from './challenges.js';
import { authProblem } from './auth-problem.js';
import { discover, type Sdk } from './discovery.js';
import { type Grant, type Grants, keyOf } from './grants.js';
import type { Renewals } from './renewal.js';

/** So long before its end, in milliseconds, a token is renewed: a request takes time to arrive, and clocks differ. */
const EARLY_MS = 60_000;

/**
 * How a connection proves who the user is. Connecting never asks the user for anything: where only the user can help, it fails
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

/** What a connection’s access is made with. */
export interface AccessTools {
  readonly loadSdk: () => Promise<Sdk>;
  readonly request: McpFetch;
  readonly grants: Grants;
  readonly renewals: Renewals;
  readonly challenges: Challenges;
}

/** Makes {@link McpAccess} for a server. @param clientId of its configuration; tokens of another client do not count */
export function createAccess({ name, url, clientId }: { readonly name: string; readonly url: URL; readonly clientId: string | undefined }, tools: AccessTools): McpAccess {
  let handed: Grant | undefined;
  let refused: string | undefined;
  /** All that were handed out: a request may still carry one that has been renewed meanwhile. */
  const tokens = new Set<string>();
  const current = async (): Promise<Grant | undefined> => {
    const grant = await tools.grants.ofServer(url);
    return grant !== undefined && (clientId === undefined || grant.client.id === clientId) ? grant : undefined;
  };
  const renewed = async (grant: Grant, stale: string): Promise<Grant | undefined> => tools.renewals.renew(await tools.loadSdk(), { name, key: keyOf(grant), stale }, tools.request);
  const fresh = async (grant: Grant | undefined): Promise<Grant | undefined> => {
    const { access, refresh, expiresAt = Infinity } = grant?.tokens ?? {};
    // A token that cannot be renewed is used to its end: the server decides.
    if (grant === undefined || access === undefined || refresh === undefined || expiresAt - EARLY_MS > Date.now()) return grant;
    try {
      return await renewed(grant, access);
    } catch (error) {
      if (expiresAt > Date.now()) return grant;
      throw error;
    }
  };

  /** Whether the server has not moved to another authorization server, which must never see what is of this one. */
  const isStillFor = async (sdk: Sdk, { authority, resource }: Grant, metadataUrl: URL | undefined): Promise<boolean> => {
    try {
      const found = await discover(sdk, url, metadataUrl, tools.request);
      return found.issuer === authority.issuer && found.resource === resource;
    } catch (error) {
      throw authProblem(sdk, name, error);
    }
  };

  return {
    async token() {
      handed = await fresh(await current());
      const token = handed?.tokens?.access;
      if (token !== undefined) tokens.add(token);
      return token;
    },
    async onUnauthorized({ response }) {
      const sdk = await tools.loadSdk();
      const challenge = tools.challenges.refused(sdk, url, response);
      const stale = refused ?? handed?.tokens?.access;
      const grant = await current();
      if (grant?.tokens !== undefined) {
        // Another request or window has renewed it meanwhile.
        if (grant.tokens.access !== stale) return;
        if ((await isStillFor(sdk, grant, challenge.metadataUrl)) && (await renewed(grant, stale)) !== undefined) return;
      }
      throw unauthorized(name);
    },
    fetch: (base, reach = 'resource') => async (target, init) => {
      const headers = new Headers(init?.headers);
      const token = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1];
      const carries = token !== undefined && tokens.has(token);
      if (carries && !mayCarry(new URL(target), url, handed?.resource, reach)) headers.delete('authorization');
      const answer = await base(target, { ...init, headers });
      if (answer.status === 401 && carries) refused = token;
      if (answer.status === 403) tools.challenges.lacking(await tools.loadSdk(), { url, response: answer, granted: handed?.tokens?.scope });
      return answer;
    },
  };
}

function mayCarry(target: URL, server: URL, resource: string | undefined, reach: 'resource' | 'origin'): boolean {
  if (target.origin !== server.origin) return false;
  return reach === 'origin' || (resource !== undefined && isWithin(target, new URL(resource)));
}

/** The failure that a sign-in mends. */
export function unauthorized(name: string): McpError {
  return new McpError('unauthorized', t('{0} wants you to sign in.', name), { code: 401 });
}
