import type { RequestListener, Server, ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logging/create-log.ts';
import { inOrder } from './in-order.ts';
import { collectWhenIdle } from '../runtime/collect-when-idle.ts';
import { keepHiddenClasses } from '../runtime/v8-flags.ts';
import { closeAfterResponse, connectionsOf } from './connection-tracker.ts';
import { createServer } from './node-http.ts';

export type ServeOptions = {
  readonly app: RequestListener;
  readonly host: string;
  readonly port: number;
  readonly log: Logger;
  /** Milliseconds an idle connection is kept; longer in services than in the gateway. */
  readonly keepAliveTimeoutMs?: number;
  /** Called once when shutdown begins, before the server stops: readiness becomes false here. */
  readonly onDrain?: () => void;
  /** Called after the last response: close pools here. */
  readonly onClose?: () => Promise<void>;
  /** Options that can only be set when the server is created. */
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
 * Time for load balancers to notice that readiness is false before connections are closed. Clients of ours close
 * idle connections sooner, so that none is closed under a request.
 */
export const drainNoticeMs = 1_000;
const drainMaxMs = 15_000;
const idleIterationMaxMs = 0.05;
/** Bounds the drain when clients reconnect all the time. */
const backlogDrainMaxMs = 1_000;

/**
 * The gateway accepts 16 KB of headers of a client and adds its own, such as an identity with a hundred companies
 * (14 KB). With Node's default of 16 KB, a service would reject what the gateway accepted.
 */
const headersBytesMax = 64 * 1024;

/**
 * Listens, and stops gracefully: `Connection: close` on every response for a second, then drains the accept
 * backlog, then closes. Closing at once broke 16 of 16 clients in a test.
 */
export const serve = async (options: ServeOptions): Promise<RunningServer> => {
  let isDraining = false;
  const handle = inOrder(options.app);
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // Node's default of 30 s would delay those timeouts.
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

/** As `serve`, for a whole process: reports to the supervisor, and stops on a signal or with the parent. */
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
  collectWhenIdle();
};

/**
 * Connections that may wait to be accepted. With Node's default of 511, the kernel drops the rest of a burst, and
 * their clients retry after 1, 3 and 7 seconds. `net.core.somaxconn` bounds it.
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
 * Accepts waiting connections before the listener closes: the kernel would reset them, and requests just sent on
 * idle connections would be lost. One iteration of the event loop accepts both. After an iteration with almost
 * no work, hardly anything new can have arrived.
 */
const drainAcceptBacklog = async (server: Server): Promise<void> => {
  let acceptedCount = 0;
  const count = () => (acceptedCount += 1);
  server.on('connection', count);
  const startedAtMs = performance.now();
  for (let isBusy = true, nowMs = startedAtMs; isBusy && nowMs < startedAtMs + backlogDrainMaxMs;) {
    const before = acceptedCount;
    await yieldToEventLoop();
    const iterationMs = performance.now() - nowMs;
    isBusy = acceptedCount > before || iterationMs > idleIterationMaxMs;
    nowMs += iterationMs;
  }
  server.off('connection', count);
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), drainMaxMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    server.closeIdleConnections();
  });
