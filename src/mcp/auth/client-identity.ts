import { t } from '../../domain/l10n.js';
import type { McpOAuthConfig } from '../../domain/mcp/config.js';
import { McpError } from '../../domain/mcp/connection.js';
import type { McpFetch } from '../../domain/mcp/sign-in.js';
import type { Discovered, Sdk } from './discovery.js';
import type { ClientIdentity, Grant } from './grants.js';

/** How Gnomon introduces itself. */
export interface ClientFacts {
  /** Of the configuration of the server. */
  readonly configured: McpOAuthConfig | undefined;
  /** Address of Gnomon’s client ID metadata document, if it has one. */
  readonly document: string | undefined;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** What is known of the resource, with any authorization server. */
  readonly known: readonly Grant[];
}

/**
 * Who Gnomon is for an authorization server, in the order of the specification: a client that was registered beforehand; its metadata
 * document, where the server takes one; the registration that it has there; a new registration. None of them is ever presented to
 * another authorization server: a configured client belongs to the first one with which it was used for the resource.
 * @throws McpError `refused`
 */
export async function clientFor(sdk: Sdk, found: Discovered, facts: ClientFacts, request: McpFetch): Promise<ClientIdentity> {
  const { configured, document, redirectUri, known } = facts;
  if (configured?.clientId !== undefined) {
    const other = known.find(
      ({ authority, client }) => client.from === 'configuration' && client.id === configured.clientId && authority.issuer !== found.issuer,
    );
    if (other !== undefined) {
      throw new McpError(
        'refused',
        t(
          'The server has moved to another authorization server, {0}. The configured client ID belongs to {1}. Sign out first if you trust the new one.',
          hostOf(found.issuer),
          hostOf(other.authority.issuer),
        ),
      );
    }
    return { id: configured.clientId, ...(configured.clientSecret !== undefined && { secret: configured.clientSecret }), from: 'configuration', redirectUri };
  }
  if (document !== undefined && found.metadata.client_id_metadata_document_supported === true) {
    if (!/^https:\/\/[^/?#]+\/[^?#]/.test(document))
      throw new McpError('refused', t('The address of the client metadata document must begin with https: and have a path.'));
    return { id: document, from: 'document', redirectUri };
  }
  const registered = known.find(
    ({ authority, client }) => authority.issuer === found.issuer && client.from === 'registration' && client.redirectUri === redirectUri,
  );
  return registered?.client ?? register(sdk, found, facts, request);
}

async function register(sdk: Sdk, { issuer, metadata }: Discovered, { redirectUri, scopes }: ClientFacts, request: McpFetch): Promise<ClientIdentity> {
  if (metadata.registration_endpoint === undefined) {
    throw new McpError(
      'refused',
      t('The authorization server {0} knows registered clients only. Enter a client ID in the configuration of the server.', hostOf(issuer)),
    );
  }
  const takesPublicClients = metadata.token_endpoint_auth_methods_supported?.includes('none') ?? true;
  // Deprecated with the revision of 2026-07-28, and all that most authorization servers support.
  // oxlint-disable-next-line typescript/no-deprecated
  const { client_id, client_secret, token_endpoint_auth_method } = await sdk.registerClient(issuer, {
    metadata,
    clientMetadata: { ...CLIENT_METADATA, ...(takesPublicClients && { token_endpoint_auth_method: 'none' }), redirect_uris: [redirectUri] },
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    fetchFn: request,
  });
  return {
    id: client_id,
    ...(client_secret !== undefined && { secret: client_secret }),
    ...(token_endpoint_auth_method !== undefined && { method: token_endpoint_auth_method }),
    from: 'registration',
    redirectUri,
  };
}

/** What Gnomon says of itself when it registers. */
const CLIENT_METADATA = { client_name: 'Gnomon', application_type: 'native', grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };

function hostOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : '';
}
