import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

/**
 * Makes the function that names a client's address. It is the socket's own, unless that is a trusted
 * proxy: then the right-most address of `X-Forwarded-For` that is not itself one.
 */
export const clientAddressReader = (
  trusted: readonly string[],
): ((req: IncomingMessage) => string) => {
  const proxies = blockListOf(trusted);
  return (req) => {
    let address = plain(req.socket.remoteAddress ?? '');
    if (trusted.length === 0) {
      return address;
    }
    for (const hop of hopsOf(req.headers['x-forwarded-for']).toReversed()) {
      if (!isListed(proxies, address) || isIP(hop) === 0) {
        break;
      }
      address = hop;
    }
    return address;
  };
};

const blockListOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
};

const isListed = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, familyOf(address));

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

const hopsOf = (header: string | string[] | undefined): string[] =>
  [header ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((hop) => plain(hop.trim()))
    .filter(Boolean);

/** A dual-stack socket shows IPv4 peers as `::ffff:192.0.2.1`. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
