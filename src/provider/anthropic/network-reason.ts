/** What the codes of Node's network errors mean to a person. */
const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'its name could not be looked up',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  ENETUNREACH: 'there is no network',
  EHOSTUNREACH: 'there is no way to it',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https on that port',
};

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/;
const DEPTH = 5;

/** Why a connection failed, as the end of a sentence; looks through the causes of an error for a code of the system. */
export function networkReason(error: unknown): string {
  const code = codeOf(error, DEPTH);
  if (code === undefined) return isTimeout(error) ? 'it did not answer in time' : 'the connection failed';
  if (CERTIFICATE.test(code)) return `its certificate is not trusted (${code})`;
  return `${REASONS[code] ?? 'the connection failed'} (${code})`;
}

function codeOf(error: unknown, depth: number): string | undefined {
  if (!(error instanceof Error) || depth === 0) return undefined;
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return codeOf(inner, depth - 1);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'APIConnectionTimeoutError';
}
