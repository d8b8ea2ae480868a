import type { Server, ServerOptions } from 'node:http';
import type { Logger } from '@commonplace/http/core';
import { handleClientErrors } from './client-errors.ts';
import { closeStalledConnections } from './close-stalled-connections.ts';
import {
  limitConnections,
  type ConnectionCounters,
  type ConnectionLimits,
} from './connection-limits.ts';
import { createRefusedConnectionLog } from './refused-connection-log.ts';
import { rejectConnect } from './reject-connect.ts';

export type ServerConfiguration = {
  readonly config: ConnectionLimits['config'];
  readonly log: Pick<Logger, 'warn'>;
  readonly counters: ConnectionCounters;
  /** Open connections in total. */
  readonly connectionsMax?: number;
  readonly unreadMaxMs?: number;
};

/** How long an idle client connection is kept. */
export const keepAliveSeconds = 65;

const connectionsMaxDefault = 2_000;
const unreadMaxMsDefault = 30_000;

/** `validateRequestHeaders` rejects a missing `Host`, with a problem response. */
export const serverOptions: ServerOptions = { maxHeaderSize: 16 * 1024, requireHostHeader: false };

/**
 * Configures what the server does beside requests: connection limits, stalled clients, `CONNECT`, parser
 * errors. Upgrades have no listener, so Node ignores the offer and handles the request: some clients offer
 * HTTP/2 with their first one. `validateRequestHeaders` counts the headers, because the server's own limit
 * silently drops those beyond it.
 */
export const configureServer =
  ({ config, log, counters, connectionsMax, unreadMaxMs }: ServerConfiguration) =>
  (server: Server): void => {
    limitConnections(server, {
      config,
      connectionsMax: connectionsMax ?? connectionsMaxDefault,
      counters,
      onRefused: createRefusedConnectionLog(log),
    });
    closeStalledConnections(server, {
      unreadMaxMs: unreadMaxMs ?? unreadMaxMsDefault,
      onCut: () => (counters.unread += 1),
    });
    server.maxHeadersCount = 0;
    rejectConnect(server);
    // 100 (Continue) is sent once the caller is authorized, see proxyRequest.
    server.on('checkContinue', (req, res) => server.emit('request', req, res));
    server.on('checkExpectation', (req, res) => server.emit('request', req, res));
    handleClientErrors(server);
  };
