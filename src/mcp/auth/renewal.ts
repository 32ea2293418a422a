import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { McpFetch, McpSecretStore } from '../../domain/mcp/sign-in.js';
import { authProblem } from './auth-problem.js';
import type { Sdk } from './discovery.js';
import { type Grant, type Grants, grantPlace, type GrantKey, keyOf } from './grants.js';
import { renewTokens } from './token-requests.js';

/** Milliseconds for which a window holds the lock of a token refresh: more than a request may take. */
const LEASE_MS = 30_000;
/** After that many milliseconds all windows see the same in the secret storage. */
const SETTLE_MS = 100;
/** Milliseconds between checks whether another window has finished its refresh. */
const POLL_MS = 100;

/** Services that token refresh uses. */
export interface RenewalTools {
  readonly store: McpSecretStore;
  readonly grants: Grants;
}

type Renewable = Grant & { readonly tokens: { readonly refresh: string } };

/** A renewal to make. */
export interface Renewal {
  /** Name of the server, for messages. */
  readonly name: string;
  readonly key: GrantKey;
  /** The access token that is of no use any more. */
  readonly stale: string;
}

/**
 * Renews tokens without the user, one renewal at a time: within a window because all who want it join, and between windows by a
 * lease in the secret storage. That cannot be taken atomically. Should two windows have it nevertheless, the one whose refresh token is
 * refused takes what the other one has stored.
 */
export class Renewals {
  private readonly store: McpSecretStore;
  private readonly grants: Grants;
  private readonly running = new Map<string, Promise<Grant | undefined>>();

  constructor({ store, grants }: RenewalTools) {
    this.store = store;
    this.grants = grants;
  }

  /**
   * @returns the grant with other tokens than the stale ones; `undefined` if the user has to sign in
   * @throws McpError if it could not be found out whether the authorization server renews them
   */
  renew(sdk: Sdk, renewal: Renewal, request: McpFetch): Promise<Grant | undefined> {
    const place = grantPlace(renewal.key);
    const running = this.running.get(place) ?? this.alone(sdk, renewal, request).finally(() => this.running.delete(place));
    this.running.set(place, running);
    return running;
  }

  private async alone(sdk: Sdk, renewal: Renewal, request: McpFetch): Promise<Grant | undefined> {
    const lease = `${grantPlace(renewal.key)}.renewal`;
    const owner = randomUUID();
    const patience = Date.now() + 2 * LEASE_MS;
    for (;;) {
      const { renewable, grant } = await this.look(renewal);
      if (renewable === undefined) return grant;
      // A storage in which no lease stays must not keep anyone from renewing.
      if ((await this.takes(lease, owner)) || Date.now() > patience) {
        try {
          return await this.ask(sdk, renewal, request);
        } finally {
          if (ownerOf(await this.store.get(lease)) === owner) await this.store.delete(lease);
        }
      }
      await wait(POLL_MS);
    }
  }

  /** Reads the stored grant again: it may still need a refresh, or another window has done it. */
  private async look({ key, stale }: Renewal): Promise<{ readonly renewable?: Renewable; readonly grant?: Grant }> {
    const grant = await this.grants.load(key);
    if (grant?.tokens === undefined) return {};
    const { refresh } = grant.tokens;
    if (grant.tokens.access !== stale) return { grant };
    return refresh === undefined ? {} : { renewable: { ...grant, tokens: { ...grant.tokens, refresh } } };
  }

  /** Whether the lease is this window's; it is not while another window has it. */
  private async takes(lease: string, owner: string): Promise<boolean> {
    if (isHeld(await this.store.get(lease))) return false;
    await this.store.store(lease, JSON.stringify({ owner, until: Date.now() + LEASE_MS }));
    await wait(SETTLE_MS);
    return ownerOf(await this.store.get(lease)) === owner;
  }

  private async ask(sdk: Sdk, renewal: Renewal, request: McpFetch): Promise<Grant | undefined> {
    const { renewable, grant } = await this.look(renewal);
    if (renewable === undefined) return grant;
    try {
      const renewed: Grant = { ...renewable, tokens: await renewTokens(sdk, renewable, request) };
      // The user may have signed out meanwhile.
      if ((await this.look(renewal)).renewable === undefined) return undefined;
      await this.grants.save(renewed);
      return renewed;
    } catch (error) {
      if (!(error instanceof sdk.OAuthError) || !FINAL.has(error.code)) throw authProblem(sdk, renewal.name, error);
      await wait(SETTLE_MS);
      const now = await this.look(renewal);
      if (now.renewable !== undefined) await this.drop(now.renewable, error.code);
      return now.grant;
    }
  }

  /** Deletes refused tokens. The client registration stays, unless that is what was refused. */
  private async drop({ authority, resource, client }: Grant, code: string): Promise<void> {
    if (code !== 'invalid_grant' && client.from === 'registration') await this.grants.remove(keyOf({ authority, resource, client }));
    else await this.grants.save({ authority, resource, client });
  }
}

/** Refusals after which only the user can help. */
const FINAL: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

function lease(text: string | undefined): Readonly<Record<string, unknown>> {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // A lock that cannot be read does not delay anything.
    return {};
  }
}

function ownerOf(text: string | undefined): unknown {
  return lease(text)['owner'];
}

function isHeld(text: string | undefined): boolean {
  const { until } = lease(text);
  return typeof until === 'number' && until > Date.now() && until <= Date.now() + LEASE_MS;
}
