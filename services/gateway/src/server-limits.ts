import type { Server, ServerOptions } from 'node:http';
import type { Logger } from '@commonplace/http/core';
import { cutUnread } from './cut-unread.ts';
import { limitConnections, type ConnectionLimits } from './limit-connections.ts';
import { refusedLog } from './log-refused.ts';
import { refuseTunnels } from './refuse-tunnels.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';
import type { Tally } from './tally.ts';

export type ServerLimits = {
  readonly config: ConnectionLimits['config'];
  readonly log: Pick<Logger, 'warn'>;
  readonly tally: Tally;
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
export const limitServer =
  ({ config, log, tally, connectionsMax, unreadMaxMs }: ServerLimits) =>
  (server: Server): void => {
    limitConnections(server, {
      config,
      connectionsMax: connectionsMax ?? connectionsMaxDefault,
      tally,
      onRefused: refusedLog(log),
    });
    cutUnread(server, {
      unreadMaxMs: unreadMaxMs ?? unreadMaxMsDefault,
      onCut: () => (tally.unread += 1),
    });
    server.maxHeadersCount = 0;
    refuseTunnels(server);
    // The body is called for when the request goes on to a service, not before anybody has judged it.
    server.on('checkContinue', (req, res) => server.emit('request', req, res));
    server.on('checkExpectation', (req, res) => server.emit('request', req, res));
    refuseUnreadable(server);
  };
