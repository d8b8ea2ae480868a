import type { IncomingMessage } from 'node:http';
import { isIP, type Socket } from 'node:net';
import proxyAddr from 'proxy-addr';

/**
 * Creates the function that returns a client's address: that of the connection or, when it belongs to a trusted
 * proxy, the right-most address of `X-Forwarded-For` that does not. Text that is no address is skipped.
 */
export const createClientAddressResolver = (
  trusted: readonly string[],
): ((req: IncomingMessage) => string) => {
  if (trusted.length === 0) {
    return ({ socket }) => peerAddressOf(socket);
  }
  const isProxy = proxyAddr.compile([...trusted]);
  return (req) => {
    const hops = proxyAddr.all(req, isProxy);
    return unmapIpv4(hops.findLast((hop) => isIP(hop) !== 0) ?? '');
  };
};

/** Creates the function that tells whether an address is a trusted proxy; `trusted` lists addresses and CIDRs. */
export const createProxyCheck = (trusted: readonly string[]): ((address: string) => boolean) => {
  const isProxy = proxyAddr.compile([...trusted]);
  return (address) => isProxy(address, 0);
};

/** The address of the client or proxy that a connection comes from; empty once it is closed. */
export const peerAddressOf = ({ remoteAddress = '' }: Socket): string => unmapIpv4(remoteAddress);

/** A dual-stack socket shows IPv4 peers as `::ffff:192.0.2.1`. */
export const unmapIpv4 = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');
