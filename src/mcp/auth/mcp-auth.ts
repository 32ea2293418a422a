import { AbortError } from '../../domain/errors.js';
import { McpError, type McpTarget } from '../../domain/mcp/connection.js';
import type { McpRemoteConfig } from '../../domain/mcp/config.js';
import { t } from '../../domain/l10n.js';
import type { McpFetch, McpSecretStore, McpSignInFetch, McpSignInPorts } from '../../domain/mcp/sign-in.js';
import { showName } from '../../text/show.js';
import { type McpAccess, StoredAccess } from './access.js';
import { serverAddress } from './addresses.js';
import { authProblem } from './auth-problem.js';
import { Challenges } from './challenges.js';
import { loadSdk } from './discovery.js';
import { Grants } from './grants.js';
import { signInInteractively } from './interactive.js';
import { Renewals } from './renewal.js';
import { revoke } from './token-requests.js';

/** Services that sign-in to servers uses. */
export interface McpAuthDeps extends McpSignInPorts {
  readonly store: McpSecretStore;
  /** For everything but requests to the server itself. */
  readonly signInFetch: McpSignInFetch;
  /** Takes each secret that is read or received, so that nothing shows it. */
  readonly used: Set<string>;
  /** Address of Gnomon’s client ID metadata document; `undefined` if it has none. */
  readonly clientMetadataUrl: () => string | undefined;
}

/** Work by key that those who want the same share. It is stopped when none of them wants it any more. */
export class JoinedWork<T> {
  private readonly running = new Map<string, Shared<T>>();

  /**
   * Starts work, or joins what runs under the same key.
   * @throws AbortError as soon as the signal is aborted, also while the work goes on for others
   */
  async join(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const shared = this.running.get(key) ?? this.start(key, work);
    shared.users += 1;
    let stop = (): void => undefined;
    const stopped = new Promise<never>((_, fail) => {
      stop = () => fail(new AbortError());
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([shared.result, stopped]);
    } finally {
      signal.removeEventListener('abort', stop);
      shared.users -= 1;
      if (shared.users === 0) {
        // A later sign-in starts anew instead of joining the one that is being stopped.
        if (this.running.get(key) === shared) this.running.delete(key);
        shared.control.abort();
      }
    }
  }

  private start(key: string, work: (signal: AbortSignal) => Promise<T>): Shared<T> {
    const control = new AbortController();
    const result = work(control.signal).finally(() => {
      if (this.running.get(key) === shared) this.running.delete(key);
    });
    const shared: Shared<T> = { control, result, users: 0 };
    this.running.set(key, shared);
    // After the last waiting caller left, nothing handles the result.
    result.catch(() => undefined);
    return shared;
  }
}

interface Shared<T> {
  readonly control: AbortController;
  readonly result: Promise<T>;
  users: number;
}

/** Signs in to servers over HTTP with OAuth 2.1, as the specification of 2026-07-28 demands of clients. */
export class McpAuth {
  private readonly grants: Grants;
  private readonly renewals: Renewals;
  private readonly challenges = new Challenges();
  private readonly signIns = new JoinedWork<void>();

  constructor(private readonly deps: McpAuthDeps) {
    this.grants = new Grants(deps.store, deps.used);
    this.renewals = new Renewals({ store: deps.store, grants: this.grants });
  }

  /** Access tokens for connections with a server; `undefined` for a server that has no sign-in, such as a local process. */
  access({ name, config }: McpTarget): McpAccess | undefined {
    if (config.type !== 'http' && config.type !== 'sse') return undefined;
    const url = secureAddress(config);
    if (url === undefined) return undefined;
    const { grants, renewals, challenges } = this;
    return new StoredAccess(
      { name: showName(name), url, clientId: config.oauth?.clientId },
      { loadSdk, request: this.deps.signInFetch(url), grants, renewals, challenges },
    );
  }

  /** Whether there are tokens for a server. They may be of no use any more. */
  async isSignedIn({ config }: McpTarget): Promise<boolean> {
    const url = isRemote(config) ? secureAddress(config) : undefined;
    return url !== undefined && (await this.grants.ofServer(url))?.tokens !== undefined;
  }

  /**
   * Has the user sign in to a server in the browser, after asking them. Those who want the same at the same time share it.
   * @throws McpError; AbortError when the signal is aborted or the user does not agree, with nothing stored and nothing listening
   */
  async signIn({ name, config }: McpTarget, signal: AbortSignal): Promise<void> {
    if (!isRemote(config)) throw new McpError('refused', t('{0} is not a server that one can sign in to.', showName(name)));
    const url = serverAddress(config.url);
    await this.signIns.join(JSON.stringify([url.href, config.oauth]), signal, (stop) => this.newGrant(showName(name), config, url, stop));
  }

  /**
   * Forgets everything about the user at a server, and has the authorization server do the same where it can. Other servers with
   * the same address are signed out, too.
   * @returns whether the tokens were revoked
   */
  async signOut({ config }: McpTarget): Promise<boolean> {
    const url = isRemote(config) ? secureAddress(config) : undefined;
    if (url === undefined) return false;
    const grant = await this.grants.ofServer(url);
    await this.grants.forget(url);
    this.challenges.forget(url);
    if (grant === undefined) return false;
    try {
      return await revoke(await loadSdk(), grant, this.deps.signInFetch(url));
    } catch (error) {
      // The tokens are gone here in any case, and expire there.
      if (error instanceof McpError) return false;
      throw error;
    }
  }

  private async newGrant(name: string, config: McpRemoteConfig, url: URL, signal: AbortSignal): Promise<void> {
    const sdk = await loadSdk();
    const { metadataUrl, scope, lacking } = this.challenges.of(url);
    const { confirm, openExternal, receive, used } = this.deps;
    const fetch = this.deps.signInFetch(url);
    const request: McpFetch = (address, init) => fetch(address, { ...init, signal });
    const tools = { sdk, request, confirm, openExternal, receive, used, grants: this.grants };
    try {
      const grant = await signInInteractively(
        { name, config, url, metadataUrl, scopes: { challenged: scope, lacking }, document: this.deps.clientMetadataUrl() },
        tools,
        signal,
      );
      signal.throwIfAborted();
      await this.grants.use(url, grant);
      // A sign-in that was canceled while its tokens were stored must not stay stored.
      if (signal.aborted) await this.grants.forget(url);
      else this.challenges.answered(url);
    } catch (error) {
      signal.throwIfAborted();
      throw authProblem(sdk, name, error);
    }
  }
}

function isRemote(config: McpTarget['config']): config is McpRemoteConfig {
  return config.type === 'http' || config.type === 'sse';
}

/** The address of a server that a token may be sent to; `undefined` for those that others could read along with. */
function secureAddress({ url }: McpRemoteConfig): URL | undefined {
  try {
    return serverAddress(url);
  } catch (error) {
    if (error instanceof McpError) return undefined;
    throw error;
  }
}
