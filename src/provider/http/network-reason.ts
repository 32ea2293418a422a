import { t } from '../../domain/l10n.js';

/** What is known of a connection that did not come about. */
export interface NetworkProblem {
  /** What happened, as the end of a sentence about the server, such as `it refused the connection (ECONNREFUSED)`. */
  readonly reason: string;
  /** What to do, in whole sentences, where it is something else than looking at the network. */
  readonly advice?: string;
  /** Whether another try can help on its own. What the user has to put right does not pass. */
  readonly passes: boolean;
}

/** What the codes of failures that pass mean to a user. */
const REASONS: Readonly<Record<string, () => string>> = {
  ECONNREFUSED: () => t('the connection was refused'),
  ECONNRESET: () => t('the connection was closed'),
  ECONNABORTED: () => t('the connection was closed'),
  EPIPE: () => t('the connection was closed'),
  UND_ERR_SOCKET: () => t('the connection was closed'),
  ENOTFOUND: () => t('the host was not found'),
  EAI_AGAIN: () => t('the host name could not be resolved'),
  ETIMEDOUT: () => t('it did not respond in time'),
  UND_ERR_CONNECT_TIMEOUT: () => t('it did not respond in time'),
  UND_ERR_HEADERS_TIMEOUT: () => t('it did not respond in time'),
  ENETUNREACH: () => t('there is no network connection'),
  ENETDOWN: () => t('there is no network connection'),
  EHOSTUNREACH: () => t('there is no route to the host'),
  EADDRNOTAVAIL: () => t('there is no route to the host'),
};

/** No way to one address, where another address of the same host may have failed for a better reason (broken IPv6). */
const NO_WAY: ReadonlySet<string | undefined> = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL']);

const OTHER_NAME = /ALTNAME|HOSTNAME_MISMATCH|CERT_COMMON_NAME_INVALID/;
const EXPIRED = /CERT_HAS_EXPIRED|CERT_NOT_YET_VALID|CERT_DATE_INVALID/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/;
const TLS = /^(ERR_TLS|ERR_SSL|EPROTO)/;
/** How the clients that speak to proxies word a refusal; they give it no code. */
const PROXY_STATUS = /proxy response \((\d{3})\)|statusCode=(\d{3})/i;
const DEPTH = 5;

/** Why a connection failed, and what to do about it; looks through the causes of an error for what the system said. */
export function networkProblem(error: unknown): NetworkProblem {
  const status = proxyStatus(error);
  if (status !== undefined) return proxyProblem(status);
  const code = errorCode(error);
  if (code === undefined) {
    return isTimeout(error) ? { reason: t('it did not respond in time'), passes: true } : { reason: t('the connection failed'), passes: false };
  }
  if (CERTIFICATE.test(code) || TLS.test(code) || OTHER_NAME.test(code)) return tlsProblem(code);
  const known = REASONS[code];
  return { reason: `${known?.() ?? t('the connection failed')} (${code})`, passes: known !== undefined };
}

/** The code that the system or the platform gave a failure, such as `ECONNRESET`, wherever a library wrapped it. */
export function errorCode(error: unknown, depth = DEPTH): string | undefined {
  if (!(error instanceof Error) || depth === 0) return undefined;
  if (error instanceof AggregateError) {
    const codes = error.errors.map((each: unknown) => errorCode(each, depth - 1));
    return codes.find((code) => code !== undefined && !NO_WAY.has(code)) ?? codes[0];
  }
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  return errorCode(error.cause, depth - 1);
}

function tlsProblem(code: string): NetworkProblem {
  if (OTHER_NAME.test(code)) {
    return { reason: t('its certificate was issued for another name ({0})', code), advice: t('Check the base URL and the setting http.proxy.'), passes: false };
  }
  if (EXPIRED.test(code)) {
    const advice = t('Check the system clock. If it is correct, the server needs a new certificate.');
    return { reason: t('its certificate has expired or is not yet valid ({0})', code), advice, passes: false };
  }
  if (CERTIFICATE.test(code)) {
    const advice = t(
      'If your network inspects HTTPS traffic, install its root certificate on this computer and keep the setting ' +
        'http.systemCertificates enabled, or set the environment variable NODE_EXTRA_CA_CERTS to the certificate file, ' +
        'then restart VS Code. For a proxy’s certificate, see the settings http.proxy and http.proxyStrictSSL.',
    );
    return { reason: t('its certificate is not trusted ({0})', code), advice, passes: false };
  }
  const advice = t('Check whether the base URL should start with http:// instead of https://, and check the setting http.proxy.');
  return { reason: t('it does not use HTTPS on that port, or it uses an unsupported TLS version ({0})', code), advice, passes: false };
}

function proxyProblem(status: number): NetworkProblem {
  if (status === 407) {
    const advice = t(
      'Add the user name and password to the setting http.proxy, as in http://name:password@host:port, or sign in to the proxy, then try again.',
    );
    return { reason: t('the proxy requires a user name and password (status 407)'), advice, passes: false };
  }
  const advice = t('Check the setting http.proxy and whether your proxy allows connections to this host, then try again.');
  return { reason: t('the proxy refused the connection (status {0})', status), advice, passes: status >= 500 };
}

function proxyStatus(error: unknown, depth = DEPTH): number | undefined {
  if (!(error instanceof Error) || depth === 0) return undefined;
  const match = PROXY_STATUS.exec(error.message);
  if (match !== null) return Number(match[1] ?? match[2]);
  return proxyStatus(error.cause, depth - 1);
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'APIConnectionTimeoutError';
}
