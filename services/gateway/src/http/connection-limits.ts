import type { Server } from 'node:http';
import type { DropArgument, Socket } from 'node:net';
import { isLoopback } from '@commonplace/config';
import { networkOfAddress } from '@commonplace/identity';
import type { Config } from '../config.ts';
import { peerAddressOf, unmapIpv4, createProxyCheck } from './client-address.ts';
import { createKeyedCounter } from '@commonplace/concurrency';

/** The limit that a connection was refused by. */
export type RefusedBy = 'total' | 'address';

/** What the HTTP server counts for the metrics. */
export type ConnectionCounters = {
  /** Client connections that are open. */
  connections: number;
  /** Connections refused, by the limit that was reached. */
  readonly refused: { total: number; address: number };
  /** Connections closed because their client did not read. */
  unread: number;
};

export type ConnectionLimits = {
  readonly config: Pick<Config, 'CONNECTIONS_PER_ADDRESS' | 'TRUST_PROXY' | 'DEPLOYMENT_MODE'>;
  readonly connectionsMax: number;
  readonly counters: Pick<ConnectionCounters, 'connections' | 'refused'>;
  /** Called for every connection that is refused. */
  readonly onRefused: (by: RefusedBy, address: string) => void;
};

/**
 * Limits the open connections, in total and per address (/64 for IPv6). A connection beyond a limit is closed
 * before anything is read from it. Trusted proxies are exempt from the limit per address because they carry
 * many clients, and loopback is in local trusted mode, where every client connects from it.
 */
export const limitConnections = (server: Server, limits: ConnectionLimits): void => {
  const { config, connectionsMax, counters, onRefused } = limits;
  const perAddress = config.CONNECTIONS_PER_ADDRESS;
  const isProxy = createProxyCheck(config.TRUST_PROXY);
  const isExempt = (address: string): boolean =>
    perAddress === 0 ||
    isProxy(address) ||
    (config.DEPLOYMENT_MODE === 'local_trusted' && isLoopback(address));
  const openPerNetwork = createKeyedCounter();

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
    socket.once('close', () => openPerNetwork.add(network, -1));
    if (openPerNetwork.add(network, 1) > perAddress) {
      refuse('address', address);
      socket.destroy();
    }
  });
};
