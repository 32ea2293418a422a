/** The scope with which refresh tokens are given (OpenID Connect Core 11). */
const OFFLINE = 'offline_access';

/** What a scope consists of (RFC 6749 3.3). Everything else would show the user something else than is asked for. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** The single scopes of a text such as `read write`, without what are none. */
export function scopesIn(text: string | undefined): readonly string[] {
  return [...new Set((text ?? '').split(/\s+/).filter((scope) => SCOPE.test(scope)))];
}

/** What is known of the scopes that a server needs. */
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
