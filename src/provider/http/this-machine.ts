/** Names of this machine, as `URL` writes them. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether an address is of a server on this machine. */
export function isOnThisMachine(address: string): boolean {
  return URL.canParse(address) && LOOPBACK.test(new URL(address).hostname);
}
