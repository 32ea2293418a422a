import type { LookupAddress } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { ToolInputError } from '../../domain/errors.js';

/** Networks that are not of the public internet. Source: IANA special-purpose address registries (RFC 6890 and later). */
const RESERVED_V4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by customers of a provider; the metadata service of Alibaba Cloud is here
  '127.0.0.0/8', // this machine
  '168.63.129.16/32', // the host of a machine of Azure: its settings and certificates
  '169.254.0.0/16', // link-local; the metadata services of most clouds are here
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; the metadata service of older machines of Oracle is here
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
] as const;
/** Only 2000::/3 is handed out at all; these parts of it are special. */
const RESERVED_V6 = [
  '2001::/23', // protocol assignments, Teredo
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which carries an address of version 4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
] as const;
const UNICAST_V6 = ['2000::/3'] as const;

const reserved = blockList(RESERVED_V4, RESERVED_V6);
const unicast = blockList([], UNICAST_V6);

/**
 * Whether an address is one of the public internet. Addresses of version 6 must be ordinary ones: mapped and translated
 * forms of version 4 (`::ffff:0:0/96`, `64:ff9b::/96`), unique local, link-local and multicast ones lie outside of those.
 * @param address of version 4 in its usual form, or of version 6 without brackets.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !reserved.check(address, 'ipv4');
    case 6:
      return unicast.check(address, 'ipv6') && !reserved.check(address, 'ipv6');
    default:
      return false;
  }
}

function blockList(networks4: readonly string[], networks6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks4) addTo(list, network, 'ipv4');
  for (const network of networks6) addTo(list, network, 'ipv6');
  return list;
}

function addTo(list: BlockList, network: string, type: 'ipv4' | 'ipv6'): void {
  const [address = '', bits] = network.split('/');
  list.addSubnet(address, Number(bits), type);
}

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
 * the connection goes to a checked address even if the name leads elsewhere a moment later (DNS rebinding).
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
