import type { AuthorizationServerMetadata, OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/client';
import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpFetch } from '../../domain/mcp/sign-in.js';
import type { Sdk } from './discovery.js';
import type { Authority, ClientIdentity, Grant, Tokens } from './grants.js';

/** Characters that a token may have in a header. Source: RFC 6750 2.1, and what servers use beyond it. */
const PRINTABLE = /^[\x21-\x7e]{1,16384}$/;

/**
 * The tokens of an answer.
 * @param asked the scopes that were asked for, which were granted if the answer names none (RFC 6749 5.1)
 * @throws McpError `protocol` for tokens that cannot be used
 */
export function tokensFrom({ access_token, token_type, refresh_token, scope, expires_in }: OAuthTokens, asked: string | undefined): Tokens {
  if (token_type.toLowerCase() !== 'bearer') throw new McpError('protocol', t('The authorization server gave a kind of token that Gnomon cannot use.'));
  if (!PRINTABLE.test(access_token)) throw new McpError('protocol', t('The authorization server gave a token that cannot be sent.'));
  const granted = scope ?? asked;
  return {
    access: access_token,
    ...(refresh_token !== undefined && refresh_token !== '' && { refresh: refresh_token }),
    ...(granted !== undefined && { scope: granted }),
    ...(Number.isFinite(expires_in) && { expiresAt: Date.now() + (expires_in ?? 0) * 1_000 }),
  };
}

/** OAuth client information in the form of the SDK. */
export function clientInformation({ id, secret, method }: ClientIdentity): OAuthClientInformationMixed {
  return { client_id: id, ...(secret !== undefined && { client_secret: secret }), ...(method !== undefined && { token_endpoint_auth_method: method }) };
}

/**
 * New tokens for old ones.
 * @throws OAuthError when they are refused; what `request` throws otherwise
 */
export async function renewTokens(
  sdk: Sdk,
  { authority, client, resource, tokens }: Grant & { readonly tokens: { readonly refresh: string } },
  request: McpFetch,
): Promise<Tokens> {
  const answer = await sdk.refreshAuthorization(authority.issuer, {
    metadata: metadataOf(authority),
    clientInformation: clientInformation(client),
    refreshToken: tokens.refresh,
    resource,
    fetchFn: request,
  });
  return tokensFrom(answer, tokens.scope);
}

/** As much of the metadata as a request for tokens needs. */
function metadataOf({ issuer, tokenEndpoint, tokenMethods }: Authority): AuthorizationServerMetadata {
  return {
    issuer,
    token_endpoint: tokenEndpoint,
    // Required by the type, and not used in requests for tokens.
    authorization_endpoint: tokenEndpoint,
    response_types_supported: ['code'],
    ...(tokenMethods !== undefined && { token_endpoint_auth_methods_supported: [...tokenMethods] }),
  };
}

/**
 * Has an authorization server forget the tokens of a grant (RFC 7009), where it can.
 * @returns whether it did
 */
export async function revoke(sdk: Sdk, { authority, client, tokens }: Grant, request: McpFetch): Promise<boolean> {
  const { revocationEndpoint, revocationMethods, tokenMethods } = authority;
  if (revocationEndpoint === undefined || tokens === undefined) return false;
  const method = sdk.selectClientAuthMethod(clientInformation(client), [...(revocationMethods ?? tokenMethods ?? [])]);
  // The refresh token first: most servers revoke all tokens that were issued for it, too.
  const wanted: readonly (readonly [string | undefined, string])[] = [
    [tokens.refresh, 'refresh_token'],
    [tokens.access, 'access_token'],
  ];
  let revoked = false;
  for (const [token, hint] of wanted) {
    if (token === undefined) continue;
    const headers = new Headers({ 'Content-Type': 'application/x-www-form-urlencoded' });
    const body = new URLSearchParams({ token, token_type_hint: hint });
    if (method === 'client_secret_basic') headers.set('Authorization', `Basic ${Buffer.from(`${client.id}:${client.secret ?? ''}`).toString('base64')}`);
    else body.set('client_id', client.id);
    if (method === 'client_secret_post') body.set('client_secret', client.secret ?? '');
    revoked = (await request(revocationEndpoint, { method: 'POST', headers, body })).ok || revoked;
  }
  return revoked;
}
