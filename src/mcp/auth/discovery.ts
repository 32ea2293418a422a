import type * as ClientPackage from '@modelcontextprotocol/client';
import type { AuthorizationServerMetadata, OAuthProtectedResourceMetadata } from '@modelcontextprotocol/client';
import { t } from '../../domain/l10n.js';
import { McpError } from '../../domain/mcp/connection.js';
import { isThisMachine, type McpFetch } from '../../domain/mcp/sign-in.js';
import { authorizationAddress, isEndpoint } from './addresses.js';
import type { Authority } from './grants.js';

/** The part of the official client that signing in is built on. Loaded with the first server that wants it. */
export type Sdk = typeof ClientPackage;

/** Loads it. */
export function loadSdk(): Promise<Sdk> {
  return import('@modelcontextprotocol/client');
}

/** OAuth metadata of a server and its authorization server. */
export interface Discovered {
  /** The resource indicator, as the server wrote it. */
  readonly resource: string;
  /** The identifier by which the authorization server is known; equals that in its metadata. */
  readonly issuer: string;
  readonly metadata: AuthorizationServerMetadata;
  readonly supportedScopes: readonly string[];
}

/**
 * Finds the authorization server of a server: the metadata of the resource (RFC 9728), then of the authorization server (RFC 8414
 * or OpenID Connect Discovery). Their issuer must be the one that was looked for, but for a slash at the end that libraries of servers add
 * to what they name. Servers of the first revisions have no metadata of the resource; their authorization server is at the root of
 * their origin.
 * @param metadataUrl where the server said that its metadata is
 * @throws McpError `refused` for metadata that contradicts itself; what the SDK and `request` throw otherwise
 */
export async function discover(sdk: Sdk, server: URL, metadataUrl: URL | undefined, request: McpFetch): Promise<Discovered> {
  const resource = await resourceMetadata(sdk, server, metadataUrl, request);
  if (resource !== undefined && !isOwn(sdk, server, resource.resource)) {
    throw new McpError('refused', t('The metadata of the server are those of another one. Gnomon does not sign in.'));
  }
  const named = resource?.authorization_servers?.[0] ?? new URL('/', server).href;
  if (!URL.canParse(named)) throw new McpError('protocol', t('The metadata of the server name no authorization server.'));
  const metadata = await sdk.discoverAuthorizationServerMetadata(named, { fetchFn: request });
  if (metadata === undefined) throw new McpError('protocol', t('The authorization server {0} has no metadata.', new URL(named).host));
  return {
    resource: resource?.resource ?? sdk.resourceUrlFromServerUrl(server).href,
    issuer: metadata.issuer,
    metadata,
    supportedScopes: resource?.scopes_supported ?? [],
  };
}

async function resourceMetadata(sdk: Sdk, server: URL, metadataUrl: URL | undefined, request: McpFetch): Promise<OAuthProtectedResourceMetadata | undefined> {
  const last = { isMissing: false };
  const watched: McpFetch = async (url, init) => {
    last.isMissing = false;
    const answer = await request(url, init);
    last.isMissing = answer.status >= 400 && answer.status < 500;
    return answer;
  };
  try {
    return await sdk.discoverOAuthProtectedResourceMetadata(server, metadataUrl === undefined ? {} : { resourceMetadataUrl: metadataUrl }, watched);
  } catch (error) {
    if (!last.isMissing || metadataUrl !== undefined) throw error;
    return undefined;
  }
}

function isOwn(sdk: Sdk, server: URL, resource: string): boolean {
  return URL.canParse(resource) && sdk.checkResourceAllowed({ requestedResource: sdk.resourceUrlFromServerUrl(server), configuredResource: resource });
}

/**
 * Whether Gnomon can sign in with an authorization server without weakening what protects it.
 * @returns the address of the page to open, without parameters
 * @throws McpError `refused`
 */
export function checkAuthority({ metadata }: Discovered, server: URL): URL {
  const mayBeLocal = isThisMachine(server.hostname);
  const page = authorizationAddress(metadata.authorization_endpoint, mayBeLocal);
  if (![metadata.token_endpoint, metadata.registration_endpoint ?? metadata.token_endpoint].every((endpoint) => isEndpoint(endpoint, mayBeLocal))) {
    throw new McpError('refused', t('The authorization server {0} wants secrets over a connection that others can read. Gnomon does not sign in.', page.host));
  }
  // Metadata without this field mean a server without PKCE, with which a stolen code is as good as a token.
  if (metadata.code_challenge_methods_supported?.includes('S256') !== true) {
    throw new McpError('refused', t('The authorization server {0} does not support PKCE with S256, without which Gnomon does not sign in.', page.host));
  }
  if (!metadata.response_types_supported.includes('code')) {
    throw new McpError('refused', t('The authorization server {0} does not support authorization codes.', page.host));
  }
  return page;
}

/** The part of discovered metadata that is stored for an authorization server. */
export function authorityOf({ issuer, metadata }: Discovered): Authority {
  const { token_endpoint: tokenEndpoint, token_endpoint_auth_methods_supported: tokenMethods } = metadata;
  // OpenID Connect Discovery does not define these two, but servers name them there as well.
  const { revocation_endpoint: revocationEndpoint, revocation_endpoint_auth_methods_supported: methods }: Readonly<Record<string, unknown>> = metadata;
  const revocationMethods = Array.isArray(methods) ? methods.filter((method) => typeof method === 'string') : undefined;
  return {
    issuer,
    tokenEndpoint,
    ...(tokenMethods !== undefined && { tokenMethods }),
    ...(typeof revocationEndpoint === 'string' && { revocationEndpoint }),
    ...(revocationMethods !== undefined && { revocationMethods }),
  };
}
