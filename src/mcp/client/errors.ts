import {
  InsufficientScopeError,
  OAuthClientFlowError,
  OAuthError,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SseError,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { McpError } from '../../domain/mcp/connection.js';
import { t } from '../../domain/l10n.js';
import { headOf, showName } from '../../text/show.js';
import { CUT_OFF } from './transport/observed-transport.js';
import { TOO_LONG } from './transport/process-transport.js';

/** Characters of a text of a server that are shown in a message. */
const SHOWN_CHARACTERS = 500;
/** Maximum depth of `cause` chains that are examined. */
const DEPTH = 6;
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const SERVER_ERRORS = 500;

/** That a request of a server is refused. The message is for the server’s author, in English. */
export class Refusal extends ProtocolError {
  constructor(message: string) {
    super(ProtocolErrorCode.InvalidParams, message);
  }
}

/**
 * Converts an error of the client to a message for the user. Texts of the client are never shown: they are not written for users, and can contain addresses.
 * @param ended why the connection is over, if it is.
 */
export function mcpError(error: unknown, ended?: string): McpError {
  for (const each of causesOf(error)) if (each instanceof McpError) return each;
  for (const each of causesOf(error)) {
    const found = knownError(each, ended);
    if (found !== undefined) return found;
  }
  if (ended !== undefined) return new McpError('closed', ended, { cause: error });
  return new McpError('protocol', t('The server did not keep to the protocol.'), { cause: error });
}

/** The status of HTTP that an error is about. */
export function httpStatus(error: unknown): number | undefined {
  for (const each of causesOf(error)) {
    if (each instanceof SdkHttpError) return each.data.status;
    if (each instanceof SseError && typeof each.code === 'number') return each.code;
    // How the client words it in the transport before Streamable HTTP.
    const worded = each instanceof Error ? /^Error POSTing to endpoint \(HTTP (\d{3})\)/.exec(each.message)?.[1] : undefined;
    if (worded !== undefined) return Number(worded);
  }
  return undefined;
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let each = error; each !== undefined && each !== null && causes.length < DEPTH;) {
    causes.push(each);
    each = each instanceof Error ? each.cause : undefined;
  }
  return causes;
}

function knownError(error: unknown, ended: string | undefined): McpError | undefined {
  if (error instanceof UnauthorizedError || error instanceof InsufficientScopeError) return unauthorized(error);
  if (error instanceof OAuthClientFlowError || error instanceof OAuthError) {
    return new McpError('unauthorized', t('Signing in to the server failed: {0}', shown(error.message)), { cause: error });
  }
  const status = httpStatus(error);
  if (status !== undefined) return statusError(status, error);
  if (error instanceof ProtocolError) return answered(error);
  if (error instanceof SdkError) return clientError(error, ended);
  if (isAbort(error) && ended !== undefined) return new McpError('closed', ended, { cause: error });
  if (error instanceof TypeError && error.message === 'fetch failed') return unreachable(error);
  if (error instanceof Error && error.message.startsWith("Server's protocol version is not supported: ")) {
    const version = error.message.slice(error.message.lastIndexOf(':') + 2);
    return new McpError('protocol', t('The server speaks revision “{0}” of the protocol, which Gnomon does not know.', shown(version)), { cause: error });
  }
  return undefined;
}

function unauthorized(cause: unknown): McpError {
  return new McpError('unauthorized', t('The server wants you to sign in.'), { code: UNAUTHORIZED, cause });
}

function statusError(status: number, cause: unknown): McpError {
  if (status === UNAUTHORIZED) return unauthorized(cause);
  if (status === FORBIDDEN) return new McpError('answered', t('The server denied access (HTTP 403).'), { code: status, cause });
  if (status >= SERVER_ERRORS) return new McpError('unreachable', t('The server is not able to answer now (HTTP {0}).', status), { code: status, cause });
  return new McpError('answered', t('The server answered with HTTP {0}.', status), { code: status, cause });
}

function answered(error: ProtocolError): McpError {
  if (error.code === TOO_LONG) return new McpError('protocol', shown(error.message), { cause: error });
  if (error.code === CUT_OFF) return new McpError('closed', t('The server broke off its answer.'), { cause: error });
  if (error instanceof Refusal)
    return new McpError('refused', t('The server asked for something that Gnomon cannot give: {0}', shown(error.message)), { cause: error });
  return new McpError('answered', t('The server answered with an error: {0}', shown(error.message)), { code: error.code, cause: error });
}

function clientError(error: SdkError, ended: string | undefined): McpError | undefined {
  switch (error.code) {
    case SdkErrorCode.RequestTimeout:
      return new McpError('timeout', t('The server did not answer in time.'), { cause: error });
    case SdkErrorCode.ConnectionClosed:
    case SdkErrorCode.NotConnected:
      return new McpError('closed', ended ?? t('The connection with the server has ended.'), { cause: error });
    case SdkErrorCode.InputRequiredRoundsExceeded:
      return new McpError('protocol', t('The server asked for input again and again without finishing.'), { cause: error });
    case SdkErrorCode.CapabilityNotSupported:
      return new McpError('protocol', t('The server asked for something that Gnomon does not offer.'), { cause: error });
    default:
      // For errors that the client only wrapped, the cause decides.
      return undefined;
  }
}

function unreachable(error: Error): McpError {
  const codes = causesOf(error).flatMap((each) => (each instanceof Error && 'code' in each && typeof each.code === 'string' ? [each.code] : []));
  const [code] = codes;
  if (code !== undefined) return new McpError('unreachable', t('The server could not be reached ({0}).', code), { cause: error });
  // How the fetch of Node words what the standard calls a bad port (fetch.spec.whatwg.org, “Port blocking”).
  const isBadPort = causesOf(error).some((each) => each instanceof Error && each.message === 'bad port');
  return new McpError(
    'unreachable',
    isBadPort
      ? t('The server could not be reached: its port is one of those that web requests may not use. Choose another one.')
      : t('The server could not be reached.'),
    { cause: error },
  );
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function shown(text: string): string {
  return showName(headOf(text, SHOWN_CHARACTERS));
}
