import type { LookupAddress } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import { ToolInputError } from '../../domain/errors.js';

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;
/** Whether a connection to an address is allowed. */
export type AllowAddress = (address: string) => boolean;

/** Endings of names that never are public. Source: RFC 6761, 6762, 8375, 9476 and ICANN's reservation of `internal`. */
const LOCAL_ENDINGS = ['localhost', 'local', 'internal', 'home.arpa', 'lan', 'home', 'corp', 'intranet', 'alt', 'onion'];

/**
 * Checks a host by what it is written as: an address must be allowed, a name must not be a local one.
 *
 * This is all that can be checked where the user's proxy looks the name up; without one, {@link checkedLookup} checks
 * where it leads.
 * @param host `URL.hostname`, in which addresses of version 4 have their usual form however they were written.
 * @throws ToolInputError when the host is not allowed.
 */
export function checkHost(host: string, allow: AllowAddress): void {
  const address = host.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) {
    if (!allow(address)) throw refused(host);
    return;
  }
  if (isLocalName(host.replace(/\.$/, ''))) throw refused(host);
}

/** Whether a name is one that only means something on this machine or in its network. @param name without a dot at its end */
export function isLocalName(name: string): boolean {
  return !name.includes('.') || LOCAL_ENDINGS.some((ending) => name === ending || name.endsWith(`.${ending}`));
}

/**
 * A function for sockets that looks a host up once, checks every address and hands on those that it has checked; so
 * the connection goes to a checked address even if the name leads elsewhere a moment later (rebinding, tool-18).
 * Other names are those of the user's own proxy, which may be a private one.
 */
export function checkedLookup(host: string, resolve: Resolve, allow: AllowAddress): LookupFunction {
  return (name, options, callback) => {
    const fail = (error: unknown): void => callback(error instanceof Error ? error : new Error(String(error)), '');
    const give = (addresses: readonly LookupAddress[]): void => {
      const wanted = addresses.filter(({ family }) => (options.family !== 4 && options.family !== 6 ? true : family === options.family));
      const [first] = wanted;
      if (name === host && addresses.some(({ address }) => !allow(address))) fail(refused(host));
      else if (first === undefined) fail(new ToolInputError(`The host ${host} has no address.`));
      else if (options.all === true) callback(null, [...wanted]);
      else callback(null, first.address, first.family);
    };
    resolve(name).then(give, fail);
  };
}

function refused(host: string): ToolInputError {
  return new ToolInputError(`${host} is this machine or in a private network, which cannot be fetched from. For a server of your own use a command.`);
}
