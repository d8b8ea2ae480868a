import type { Server } from 'node:http';
import type { DropArgument, Socket } from 'node:net';
import { isLoopback } from '@commonplace/config';
import { peerAddressOf, unmapIpv4, createProxyCheck } from './client-address.ts';
import type { Config } from '../config.ts';
import { networkOfAddress } from '@commonplace/identity';
import type { GatewayCounters } from '../observability/counters.ts';

/** The limit that a connection was refused by. */
export type RefusedBy = 'total' | 'address';

export type ConnectionLimits = {
  readonly config: Pick<Config, 'CONNECTIONS_PER_ADDRESS' | 'TRUST_PROXY' | 'DEPLOYMENT_MODE'>;
  readonly connectionsMax: number;
  readonly counters: GatewayCounters;
  /** Told of every connection that is refused. */
  readonly onRefused: (by: RefusedBy, address: string) => void;
};

/**
 * Bounds the connections that are open at once, of all clients and of one address (a /64 of IPv6). Beyond
 * either a new one is closed before anything is read from it. Trusted proxies stand for many clients and
 * are not counted; nor is loopback in local trusted mode, where everybody is there.
 */
export const limitConnections = (server: Server, limits: ConnectionLimits): void => {
  const { config, connectionsMax, counters, onRefused } = limits;
  const perAddress = config.CONNECTIONS_PER_ADDRESS;
  const isProxy = createProxyCheck(config.TRUST_PROXY);
  const isExempt = (address: string): boolean =>
    perAddress === 0 ||
    isProxy(address) ||
    (config.DEPLOYMENT_MODE === 'local_trusted' && isLoopback(address));
  const count = createCounter();

  const refuse = (by: RefusedBy, address: string): void => {
    counters.refused[by] += 1;
    onRefused(by, address);
  };
  server.maxConnections = connectionsMax;
  server.on('drop', (dropped?: DropArgument) =>
    refuse('total', unmapIpv4(dropped?.remoteAddress ?? '')),
  );
  server.on('connection', (socket: Socket) => {
    counters.connections += 1;
    socket.once('close', () => (counters.connections -= 1));
    const address = peerAddressOf(socket);
    if (isExempt(address)) {
      return;
    }
    const network = networkOfAddress(address);
    socket.once('close', () => count.remove(network));
    if (count.add(network) > perAddress) {
      refuse('address', address);
      socket.destroy();
    }
  });
};

/** Counts by name, and forgets names that stand for nothing. */
const createCounter = () => {
  const counts = new Map<string, number>();
  return {
    add: (name: string): number => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return count;
    },
    remove: (name: string): void => {
      const left = (counts.get(name) ?? 1) - 1;
      if (left > 0) {
        counts.set(name, left);
      } else {
        counts.delete(name);
      }
    },
  };
};
