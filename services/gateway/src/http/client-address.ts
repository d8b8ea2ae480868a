import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';

/**
 * Makes the function that names a client's address. It is the socket's own, unless that is a trusted
 * proxy: then the right-most address of `X-Forwarded-For` that is not itself one.
 */
export const createClientAddressResolver = (
  trusted: readonly string[],
): ((req: IncomingMessage) => string) => {
  const isProxy = createProxyCheck(trusted);
  return (req) => {
    let address = peerAddressOf(req.socket);
    if (trusted.length === 0) {
      return address;
    }
    for (const hop of hopsOf(req.headers['x-forwarded-for']).toReversed()) {
      if (!isProxy(address) || isIP(hop) === 0) {
        break;
      }
      address = hop;
    }
    return address;
  };
};

/** Makes the function that tells whether an address is one of these addresses and networks. */
export const createProxyCheck = (trusted: readonly string[]): ((address: string) => boolean) => {
  const proxies = blockListOf(trusted);
  return (address) => isIP(address) !== 0 && proxies.check(address, familyOf(address));
};

/** Who is at the other end of a connection, a proxy or the client itself; empty once it is closed. */
export const peerAddressOf = ({ remoteAddress = '' }: Socket): string => unmapIpv4(remoteAddress);

const blockListOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
};

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const hopsOf = (header: string | string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((hop) => unmapIpv4(hop.trim()))
    .filter(Boolean);

/** A dual-stack socket shows IPv4 peers as `::ffff:192.0.2.1`. */
export const unmapIpv4 = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
