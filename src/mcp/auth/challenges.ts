import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { Sdk } from './discovery.js';

/** The scope with which refresh tokens are given (OpenID Connect Core 11). */
const OFFLINE = 'offline_access';

/** Allowed characters of a scope (RFC 6749 3.3). Others could show the user another scope than the requested one. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Splits a scope string such as `read write`, without invalid scopes. */
export function scopesIn(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(/\s+/).filter((scope) => SCOPE.test(scope)))];
}

/** Sources of the scopes that a server needs. */
export interface ScopeFacts {
  /** Of the configuration. */
  readonly configured?: readonly string[] | undefined;
  /** That the server named when it refused a request without a valid token. */
  readonly challenged?: string | undefined;
  /** That the server named when it refused a request whose token allowed too little, with those that the token had. */
  readonly lacking?: { readonly wanted: string | undefined; readonly granted: string | undefined } | undefined;
  /** Of the metadata of the resource. */
  readonly supported?: readonly string[] | undefined;
  /** Of the metadata of the authorization server. */
  readonly offered?: readonly string[] | undefined;
}

/**
 * The scopes to ask for: those of the configuration, else of the server’s refusal, else all that the resource supports, else none,
 * which leaves it to the authorization server. Those that a request lacked are asked for together with those that were
 * granted before, so that nothing is lost. Where refresh tokens are given by scope, that is added.
 */
export function scopesToAsk({ configured = [], challenged, lacking, supported = [], offered = [] }: ScopeFacts): readonly string[] {
  const first = [configured, scopesIn(challenged), supported].find((scopes) => scopes.length > 0) ?? [];
  const scopes = scopesIn((lacking === undefined ? first : [...configured, lacking.granted ?? '', lacking.wanted ?? '']).join(' '));
  return scopes.length > 0 && offered.includes(OFFLINE) && !scopes.includes(OFFLINE) ? [...scopes, OFFLINE] : scopes;
}

/** Whether all scopes of a text are among others. */
export function covers(granted: readonly string[], wanted: string | undefined): boolean {
  return scopesIn(wanted).every((scope) => granted.includes(scope));
}

/** Limit for repeated step-up sign-ins with the same scopes, when the server still refuses. */
const MAX_STEP_UPS = 2;

/** The last `WWW-Authenticate` challenge of a server. */
export interface Challenge {
  /** Where its metadata is. */
  readonly metadataUrl?: URL;
  /** The scopes that it named. */
  readonly scope?: string;
  /** Present when a token was valid, but allowed too little. */
  readonly lacking?: { readonly wanted: string | undefined; readonly granted: string | undefined };
}

/** A refusal of a request whose token allows too little. */
export interface Lack {
  readonly url: URL;
  readonly response: Response;
  /** Scopes of the token. */
  readonly granted: string | undefined;
}

/** `WWW-Authenticate` challenges of servers, by their address. Untrusted: they decide what the user is asked for, never what is granted. */
export class Challenges {
  private readonly last = new Map<string, Challenge>();
  /** Number of step-up sign-ins per server. */
  private readonly stepUps = new Map<string, number>();

  of(url: URL): Challenge {
    return this.last.get(url.href) ?? {};
  }

  /** Remembers a refusal of a request without a valid token. */
  refused(sdk: Sdk, url: URL, response: Response): Challenge {
    const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(response);
    const challenge = challengeOf(resourceMetadataUrl, scope);
    this.last.set(url.href, challenge);
    return challenge;
  }

  /**
   * Remembers a refusal of a request whose token allows too little; does nothing for other refusals.
   * @returns a failure, `refused`, when asking the user again would not help: they have granted what the server says that it lacks,
   *   or have signed in for it often enough
   */
  lacking(sdk: Sdk, { url, response, granted }: Lack): McpError | undefined {
    const { resourceMetadataUrl, scope, error } = sdk.extractWWWAuthenticateParams(response);
    if (error !== 'insufficient_scope') return undefined;
    const isGranted = granted !== undefined && scope !== undefined && covers(scopesIn(granted), scope);
    if (isGranted || (this.stepUps.get(stepUpKey(url, scope)) ?? 0) >= MAX_STEP_UPS) {
      return new McpError('refused', t('The server refuses this although you have granted what it asks for.'), { code: 403 });
    }
    this.last.set(url.href, { ...challengeOf(resourceMetadataUrl, scope), lacking: { wanted: scope, granted } });
    return undefined;
  }

  /** Forgets what a server wanted, since the user has signed in for it. */
  answered(url: URL): void {
    const { lacking } = this.of(url);
    if (lacking !== undefined) {
      const key = stepUpKey(url, lacking.wanted);
      this.stepUps.set(key, (this.stepUps.get(key) ?? 0) + 1);
    }
    this.last.delete(url.href);
  }

  /** Forgets everything about a server. */
  forget(url: URL): void {
    this.last.delete(url.href);
    for (const key of this.stepUps.keys()) if (key.startsWith(stepUpKey(url, undefined))) this.stepUps.delete(key);
  }
}

function challengeOf(metadataUrl: URL | undefined, scope: string | undefined): Challenge {
  return { ...(metadataUrl !== undefined && { metadataUrl }), ...(scope !== undefined && { scope }) };
}

/** An address has no spaces, so that of one server never begins that of another. */
function stepUpKey(url: URL, scope: string | undefined): string {
  return `${url.href} ${[...scopesIn(scope)].sort().join(' ')}`;
}
