import { BlockList, isIP } from 'node:net';
import { isThisMachine } from '../../domain/mcp/sign-in.js';
import { isLocalName, type Resolve } from '../web/checked-host.js';
import { isPublicAddress } from '../web/public-address.js';

/** What kind of place an address is in. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'reserved';

const LOOPBACK = blockList(['127.0.0.0/8'], ['::1/128']);
/** Networks of companies and homes. Source: RFC 1918, 6598, 4193. Link-local ones, where clouds keep their metadata, are none of these. */
const PRIVATE = blockList(['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'], ['fc00::/7']);
/** Addresses in these networks that hand out credentials of a cloud: AWS over IPv6, Alibaba Cloud. */
const METADATA_SERVICES: ReadonlySet<string> = new Set(['fd00:ec2::254', '100.100.100.200']);

/** The kind of an address of version 4 in its usual form, or of version 6 without brackets. What is no address is `reserved`. */
export function addressKind(address: string): AddressKind {
  const version = isIP(address);
  if (version === 0 || METADATA_SERVICES.has(address)) return 'reserved';
  const type = version === 4 ? 'ipv4' : 'ipv6';
  // A list of version 4 also finds such addresses in the form `::ffff:127.0.0.1`.
  if (LOOPBACK.check(address, type)) return 'loopback';
  if (PRIVATE.check(address, type)) return 'private';
  return isPublicAddress(address) ? 'public' : 'reserved';
}

/**
 * The kinds of place that a host leads to. A name that cannot be looked up, as behind a proxy, is judged by how it is written.
 * @param host `URL.hostname`
 */
export async function hostKinds(host: string, resolve: Resolve): Promise<ReadonlySet<AddressKind>> {
  if (isThisMachine(host)) return new Set(['loopback']);
  const name = bare(host);
  if (isIP(name) !== 0) return new Set([addressKind(name)]);
  try {
    return new Set((await resolve(name)).map(({ address }) => addressKind(address)));
  } catch {
    return new Set([isLocalName(name) ? 'private' : 'public']);
  }
}

/** A host without the brackets of an address and without the dot at the end of a name. */
export function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function blockList(networks4: readonly string[], networks6: readonly string[]): BlockList {
  const list = new BlockList();
  for (const [networks, type] of [
    [networks4, 'ipv4'],
    [networks6, 'ipv6'],
  ] as const) {
    for (const network of networks) {
      const [address = '', bits] = network.split('/');
      list.addSubnet(address, Number(bits), type);
    }
  }
  return list;
}
