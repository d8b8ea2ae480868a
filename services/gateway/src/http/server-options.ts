import type { Server, ServerOptions } from 'node:http';
import type { Logger } from '@commonplace/http/core';
import { closeStalledConnections } from './close-stalled-connections.ts';
import { limitConnections, type ConnectionLimits } from './connection-limits.ts';
import { createRefusedConnectionLog } from './refused-connection-log.ts';
import { rejectConnect } from './reject-connect.ts';
import { handleClientErrors } from './client-errors.ts';
import type { GatewayCounters } from '../observability/counters.ts';

export type ServerConfiguration = {
  readonly config: ConnectionLimits['config'];
  readonly log: Pick<Logger, 'warn'>;
  readonly counters: GatewayCounters;
  /** Connections of all clients at once. */
  readonly connectionsMax?: number;
  readonly unreadMaxMs?: number;
};

const connectionsMaxDefault = 2_000;
const unreadMaxMsDefault = 30_000;

/** A missing `Host` is for the pipeline to refuse, in our words. */
export const serverOptions: ServerOptions = { maxHeaderSize: 16 * 1024, requireHostHeader: false };

/**
 * Sets what the bare server decides beside requests: how many connections, how long a client may leave
 * unread what was written to it, what becomes of tunnels (nothing), and how its own complaints are worded.
 * Offers to upgrade have no listener, so they are ignored and the request is answered: some clients offer
 * HTTP/2 with every first one. Header lines are counted by the pipeline, because the server's own limit
 * drops the rest in silence.
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
    // The body is called for when the request goes on to a service, not before anybody has judged it.
    server.on('checkContinue', (req, res) => server.emit('request', req, res));
    server.on('checkExpectation', (req, res) => server.emit('request', req, res));
    handleClientErrors(server);
  };
