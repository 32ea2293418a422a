const PRIVATE_NAME = /^[^.]+$|\.(local|localhost|lan|internal|home\.arpa|test)$/;
const PRIVATE_V4 = /^(127|10)\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^169\.254\./;
/** Loopback, unique local (fc00::/7) and link-local (fe80::/10) addresses, as `URL` writes them. */
const PRIVATE_V6 = /^\[(::1\]|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/;

/** Whether a host, as `URL` gives it, is this machine or one of a private network. */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return PRIVATE_V6.test(host);
  return /^\d+(\.\d+){3}$/.test(host) ? PRIVATE_V4.test(host) : PRIVATE_NAME.test(host);
}
