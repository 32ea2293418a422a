import { randomBytes } from 'node:crypto';
import { AbortError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { McpOAuthConfig, McpRemoteConfig } from '../../domain/mcp/config.js';
import { McpError } from '../../domain/mcp/connection.js';
import { isThisMachine, type McpFetch, type McpRedirectReceiver, type McpSignInPorts } from '../../domain/mcp/sign-in.js';
import { authorizationAddress } from './addresses.js';
import { refusal } from './auth-problem.js';
import { authorityOf, checkAuthority, discover, type Discovered, type Sdk } from './discovery.js';
import type { ClientIdentity, Grant, Grants } from './grants.js';
import { type ScopeFacts, scopesToAsk } from './challenges.js';
import { clientInformation, tokensFrom } from './token-requests.js';

/** A sign-in to make. */
export interface SignInRequest {
  /** Name of the server. */
  readonly name: string;
  readonly config: McpRemoteConfig;
  readonly url: URL;
  /** Where the server said that its metadata is. */
  readonly metadataUrl: URL | undefined;
  readonly scopes: Pick<ScopeFacts, 'challenged' | 'lacking'>;
  /** Address of Gnomon’s client ID metadata document. */
  readonly document: string | undefined;
}

/** Services of an interactive sign-in. */
export interface SignInTools extends McpSignInPorts {
  readonly sdk: Sdk;
  readonly request: McpFetch;
  /** Stored grants of a resource. */
  readonly grants: Pick<Grants, 'forResource' | 'distrustRegistration'>;
  readonly used: Set<string>;
}

/** Facts that decide on the OAuth client. */
interface ClientFacts {
  /** Of the configuration of the server. */
  readonly configured: McpOAuthConfig | undefined;
  /** Address of Gnomon’s client ID metadata document, if it has one. */
  readonly document: string | undefined;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  /** Stored grants for the resource, from any authorization server. */
  readonly known: readonly Grant[];
}

/**
 * Chooses the OAuth client for an authorization server, in the order of the specification: a client that was registered beforehand; its metadata
 * document, where the server takes one; the registration that it has there; a new registration. None of them is ever presented to
 * another authorization server: a configured client belongs to the first one with which it was used for the resource.
 * @throws McpError `refused`
 */
async function clientFor(sdk: Sdk, found: Discovered, facts: ClientFacts, request: McpFetch): Promise<ClientIdentity> {
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

/** Client metadata for dynamic registration. */
const CLIENT_METADATA = { client_name: 'Gnomon', application_type: 'native', grant_types: ['authorization_code', 'refresh_token'], response_types: ['code'] };

function hostOf(issuer: string): string {
  return URL.canParse(issuer) ? new URL(issuer).host : '';
}

/**
 * Signs the user in: finds the authorization server, asks the user, opens the browser, and turns the answer into tokens. The code
 * verifier and the `state` are in memory only, and nothing is stored here, so a sign-in that is stopped leaves nothing behind.
 * @throws McpError; AbortError when the signal is aborted or the user does not agree; what the SDK throws
 */
export async function signInInteractively(request: SignInRequest, tools: SignInTools, signal: AbortSignal): Promise<Grant> {
  const found = await discover(tools.sdk, request.url, request.metadataUrl, tools.request);
  const page = checkAuthority(found, request.url);
  const scopes = scopesToAsk({
    ...request.scopes,
    configured: request.config.oauth?.scopes,
    supported: found.supportedScopes,
    offered: found.metadata.scopes_supported,
  });
  if (!(await tools.confirm({ server: request.name, url: request.url.href, host: page.host, scopes }, signal))) throw new AbortError();
  signal.throwIfAborted();
  const known = await tools.grants.forResource(found.resource);
  const receiver = await tools.receive(known.find(({ authority }) => authority.issuer === found.issuer)?.client.redirectUri);
  try {
    const client = await clientFor(
      tools.sdk,
      found,
      { configured: request.config.oauth, document: request.document, redirectUri: receiver.redirectUri, scopes, known },
      tools.request,
    );
    if (client.secret !== undefined) tools.used.add(client.secret);
    return await authorize({ request, found, scopes, client }, receiver, tools, signal);
  } catch (error) {
    if (isAboutClient(tools.sdk, error)) await tools.grants.distrustRegistration(found);
    throw error;
  } finally {
    receiver.close();
  }
}

/** Whether a failure can mean that the client is not known any more: then the page of the authorization server says so, and nothing comes back. */
function isAboutClient(sdk: Sdk, error: unknown): boolean {
  if (error instanceof McpError) return error.kind === 'timeout';
  return error instanceof sdk.OAuthError && (error.code === 'invalid_client' || error.code === 'unauthorized_client');
}

/** A sign-in of which all is known but the user’s answer. */
interface Prepared {
  readonly request: SignInRequest;
  readonly found: Discovered;
  readonly scopes: readonly string[];
  readonly client: Grant['client'];
}

async function authorize({ request, found, scopes, client }: Prepared, receiver: McpRedirectReceiver, tools: SignInTools, signal: AbortSignal): Promise<Grant> {
  const state = randomBytes(32).toString('base64url');
  const scope = scopes.length > 0 ? scopes.join(' ') : undefined;
  const { authorizationUrl, codeVerifier } = await tools.sdk.startAuthorization(found.issuer, {
    metadata: found.metadata,
    clientInformation: clientInformation(client),
    redirectUrl: receiver.redirectUri,
    state,
    resource: found.resource,
    ...(scope !== undefined && { scope }),
  });
  tools.used.add(codeVerifier);
  signal.throwIfAborted();
  const answer = await answerOf(authorizationUrl, { state, server: request.url }, receiver, tools, signal);
  // The issuer first: in a mix-up, everything else is from whom it should not be, the error too.
  tools.sdk.validateAuthorizationResponseIssuer({
    iss: answer.get('iss') ?? undefined,
    expectedIssuer: found.metadata.issuer,
    issParameterSupported: found.metadata['authorization_response_iss_parameter_supported'] === true,
  });
  const [code, error] = [answer.get('code'), answer.get('error')];
  if (code === null || code === '') throw refusal(request.name, error ?? '');
  tools.used.add(code);
  const tokens = await tools.sdk.exchangeAuthorization(found.issuer, {
    metadata: found.metadata,
    clientInformation: clientInformation(client),
    authorizationCode: code,
    codeVerifier,
    redirectUri: receiver.redirectUri,
    resource: found.resource,
    fetchFn: tools.request,
    ...issOf(answer),
  });
  return { authority: authorityOf(found), resource: found.resource, client, tokens: tokensFrom(tokens, scope) };
}

function issOf(answer: URLSearchParams): { iss?: string } {
  const iss = answer.get('iss');
  return iss === null ? {} : { iss };
}

/** Waits for the redirect after the user signed in on the page of the authorization server. */
async function answerOf(
  page: URL,
  { state, server }: { readonly state: string; readonly server: URL },
  receiver: McpRedirectReceiver,
  tools: SignInTools,
  signal: AbortSignal,
): Promise<URLSearchParams> {
  // Parameters of the SDK are encoded, but the address as a whole is what is opened, so it is checked as a whole.
  const { href } = authorizationAddress(page.href, isThisMachine(server.hostname));
  const stop = new AbortController();
  const answer = receiver.wait(state, AbortSignal.any([signal, stop.signal]));
  try {
    const opened = tools.openExternal(href).then((done) => {
      if (!done) throw new McpError('refused', t('The browser was not opened, so Gnomon could not sign in.'));
      return answer;
    });
    return await Promise.race([answer, opened]);
  } catch (error) {
    // The answer is no longer needed, and fails because of the abort.
    answer.catch(() => undefined);
    stop.abort();
    throw error;
  }
}
