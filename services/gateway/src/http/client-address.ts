import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';

/**
 * Creates the function that returns a client's address: that of the connection or, when it belongs to a trusted
 * proxy, the right-most address of `X-Forwarded-For` that does not. It stops at text that is not an address.
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

/** Creates the function that checks whether an address is a trusted proxy; `trusted` lists addresses and CIDRs. */
export const createProxyCheck = (trusted: readonly string[]): ((address: string) => boolean) => {
  const proxies = new BlockList();
  for (const network of trusted) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    proxies.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return (address) => isIP(address) !== 0 && proxies.check(address, familyOf(address));
};

/** The address of the client or proxy that a connection comes from; empty once it is closed. */
export const peerAddressOf = ({ remoteAddress = '' }: Socket): string => unmapIpv4(remoteAddress);

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
