import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging/create-log.ts';
import { inOrder } from './in-order.ts';
import { keepHiddenClasses } from '../runtime/v8-flags.ts';
import { closeAfterResponse, connectionsOf } from './connection-tracker.ts';
import { createServer } from './node-http.ts';

export type ServeOptions = {
  readonly app: RequestListener;
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** Milliseconds an idle connection is kept; services keep theirs longer than the gateway does. */
  readonly keepAliveTimeoutMs?: number;
  /** Called once when shutdown begins, before the server stops: readiness turns false here. */
  readonly onDrain?: () => void;
  /** Called after the last answer: close pools here. */
  readonly onClose?: () => Promise<void>;
  /** Options that can only be given when the server is made. */
  readonly serverOptions?: ServerOptions;
  /** Changes to the bare server before it listens (limits, `upgrade` handling). */
  readonly configure?: (server: Server) => void;
};

export type RunningServer = {
  readonly server: Server;
  readonly port: number;
  readonly stop: () => Promise<void>;
};

/**
 * Time for load balancers to see readiness fall before connections are closed. Whoever calls us closes
 * idle connections sooner than that, so that none is closed under a request.
 */
export const drainNoticeMs = 1_000;
const drainMaxMs = 15_000;
const idleIterationMaxMs = 0.05;
/** Who reconnects without end must not keep us from ending. */
const backlogDrainMaxMs = 1_000;

/**
 * The gateway takes 16 KB of a client's headers and adds its own, an identity with a hundred companies
 * among them (14 KB). With Node's default of 16 KB a service would refuse what the gateway has let in.
 */
const headersBytesMax = 64 * 1024;

/**
 * Listens, tells a supervisor over IPC, and stops gracefully: `Connection: close` on every answer for
 * a second, then close, then drain, then exit. (Closing at once broke 16 of 16 clients in a probe.)
 */
export const serve = async (options: ServeOptions): Promise<RunningServer> => {
  let isDraining = false;
  const handle = inOrder(options.app);
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // Node's default is 30 s, by which those time-outs would come late.
      connectionsCheckingInterval: 1_000,
      keepAlive: true,
      maxHeaderSize: headersBytesMax,
      ...options.serverOptions,
    },
    (req, res) => {
      if (isDraining) {
        res.setHeader('Connection', 'close');
      }
      handle(req, res);
    },
  );
  const connections = connectionsOf(server);
  server.keepAliveTimeout = options.keepAliveTimeoutMs ?? 75_000;
  options.configure?.(server);
  await listen(server, options.port, options.host);
  const { port } = server.address() as AddressInfo;

  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= (async () => {
      isDraining = true;
      closeAfterResponse(connections);
      options.onDrain?.();
      await sleep(drainNoticeMs);
      await drainAcceptBacklog(server);
      await closeServer(server);
      await options.onClose?.();
    })());
  return { server, port, stop };
};

/** As `serve`, for a process of its own: reports to the supervisor, and ends with signal or parent. */
export const serveProcess = async (options: ServeOptions): Promise<void> => {
  const { log } = options;
  const running = await serve(options).catch((error: unknown) => {
    log.fatal({ err: error }, 'cannot listen');
    process.stderr.write(
      `Cannot listen on ${options.host}:${options.port}: ${(error as Error).message}\n`,
    );
    process.exit(1);
  });
  const end = () => {
    running.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  // Signals reach children twice (process group and supervisor), so the handlers stay in place.
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  process.on('disconnect', end);
  process.send?.({ type: 'ready', port: running.port });
  log.info({ host: options.host, port: running.port }, 'listening');
  keepHiddenClasses();
};

/**
 * Connections that wait to be accepted. With Node's default of 511 a burst makes the kernel drop the rest, and their
 * clients come again after 1, 3 and 7 seconds. The kernel bounds it by `net.core.somaxconn`.
 */
const acceptBacklogMax = 4_096;

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, acceptBacklogMax, () => {
      server.off('error', reject);
      resolve();
    });
  });

/**
 * The kernel resets connections that wait to be accepted when a listener closes, and a request that was
 * just sent on an idle connection is lost with it. A turn of the event loop takes in both. After one
 * that had next to nothing to do, hardly anything can have come since: that is the moment to close.
 */
const drainAcceptBacklog = async (server: Server): Promise<void> => {
  let cameCount = 0;
  const count = () => (cameCount += 1);
  server.on('connection', count);
  const startedAtMs = performance.now();
  for (let isBusy = true, nowMs = startedAtMs; isBusy && nowMs < startedAtMs + backlogDrainMaxMs;) {
    const before = cameCount;
    await nextTurn();
    const turnMs = performance.now() - nowMs;
    isBusy = cameCount > before || turnMs > idleIterationMaxMs;
    nowMs += turnMs;
  }
  server.off('connection', count);
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const giveUp = setTimeout(() => server.closeAllConnections(), drainMaxMs);
    server.close(() => {
      clearTimeout(giveUp);
      resolve();
    });
    server.closeIdleConnections();
  });
