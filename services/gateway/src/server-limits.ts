import type { Server, ServerOptions } from 'node:http';
import { refuseTunnels } from './refuse-tunnels.ts';
import { refuseUnreadable } from './refuse-unreadable.ts';

const connectionsMax = 2_000;

/** A missing `Host` is for the pipeline to refuse, in our words. */
export const serverOptions: ServerOptions = { maxHeaderSize: 16 * 1024, requireHostHeader: false };

/**
 * Sets what the bare server decides before there is a request: how many connections, what becomes of
 * tunnels (nothing), and how its own complaints are worded. Offers to upgrade have no listener, so they
 * are ignored and the request is answered: some clients offer HTTP/2 with every first one. Header lines
 * are counted by the pipeline, because the server's own limit drops the rest in silence.
 */
export const limitServer = (server: Server): void => {
  server.maxConnections = connectionsMax;
  server.maxHeadersCount = 0;
  refuseTunnels(server);
  // The body is called for when the request goes on to a service, not before anybody has judged it.
  server.on('checkContinue', (req, res) => server.emit('request', req, res));
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  refuseUnreadable(server);
};
