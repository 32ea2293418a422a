import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { Sdk } from './discovery.js';
import { covers, scopesIn } from './scopes.js';

/** How often the user is asked for the same permissions again, when the server refuses although they were asked for. */
const MAX_STEP_UPS = 2;

/** What a server wanted with its last refusal. */
export interface Challenge {
  /** Where its metadata is. */
  readonly metadataUrl?: URL;
  /** The scopes that it named. */
  readonly scope?: string;
  /** Present when a token was valid, but allowed too little. */
  readonly lacking?: { readonly wanted: string | undefined; readonly granted: string | undefined };
}

/** What servers wanted with their refusals, by their address. Text from outside: it decides what the user is asked for, never what is granted. */
export class Challenges {
  private readonly last = new Map<string, Challenge>();
  /** How often a server lacked which scopes. */
  private readonly stepUps = new Map<string, number>();

  of(url: URL): Challenge {
    return this.last.get(url.href) ?? {};
  }

  /** Remembers a refusal of a request without a valid token. */
  refused(sdk: Sdk, url: URL, response: Response): Challenge {
    const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response);
    const challenge: Challenge = { ...(resourceMetadataUrl !== undefined && { metadataUrl: resourceMetadataUrl }), ...(scope !== undefined && { scope }) };
    this.last.set(url.href, challenge);
    return challenge;
  }

  /**
   * Remembers a refusal of a request whose token allows too little; does nothing for other refusals.
   * @throws McpError `refused` when asking the user again would not help: they have granted what the server says that it lacks, or
   *   were asked for it before
   */
  lacking(sdk: Sdk, { url, response, granted }: { readonly url: URL; readonly response: Response; readonly granted: string | undefined }): void {
    const { resourceMetadataUrl, scope, error } = sdk.extractWWWAuthenticateParams(response);
    if (error !== 'insufficient_scope') return;
    const key = [url.href, ...[...scopesIn(scope)].sort()].join(' ');
    const count = (this.stepUps.get(key) ?? 0) + 1;
    this.stepUps.set(key, count);
    const isGranted = granted !== undefined && scope !== undefined && covers(scopesIn(granted), scope);
    if (isGranted || count > MAX_STEP_UPS) {
      throw new McpError('refused', t('The server refuses this although you have granted what it asks for.'), { code: 403 });
    }
    this.last.set(url.href, { ...(resourceMetadataUrl !== undefined && { metadataUrl: resourceMetadataUrl }), ...(scope !== undefined && { scope }), lacking: { wanted: scope, granted } });
  }

  /** Forgets what a server wanted, once it has got it. */
  answered(url: URL): void {
    this.last.delete(url.href);
  }

  /** Forgets everything about a server. */
  forget(url: URL): void {
    this.answered(url);
    for (const key of this.stepUps.keys()) if (key === url.href || key.startsWith(`${url.href} `)) this.stepUps.delete(key);
  }
}
