import { randomBytes } from 'node:crypto';
import { AbortError } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { McpRemoteConfig } from '../../domain/mcp/config.js';
import { McpError } from '../../domain/mcp/connection.js';
import { isThisMachine, type McpFetch, type McpRedirectReceiver, type McpSignInPorts } from '../../domain/mcp/sign-in.js';
import { authorizationAddress } from './addresses.js';
import { refusal } from './auth-problem.js';
import { clientFor } from './client-identity.js';
import { authorityOf, checkAuthority, discover, type Discovered, type Sdk } from './discovery.js';
import type { Grant, Grants } from './grants.js';
import { type ScopeFacts, scopesToAsk } from './scopes.js';
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

/** What it is made with. */
export interface SignInTools extends McpSignInPorts {
  readonly sdk: Sdk;
  readonly request: McpFetch;
  /** What is known of a resource. */
  readonly grants: Pick<Grants, 'forResource' | 'distrustRegistration'>;
  readonly used: Set<string>;
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

/** What the authorization server answers after the user signed in on its page. */
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
