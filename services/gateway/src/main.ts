import { publicRoutes } from '@commonplace/contracts';
import { createLog, leaveRoom, serveProcess } from '@commonplace/http/core';
import { createApp } from './app.ts';
import { readGatewayConfig } from './config.ts';
import { systemClock } from './deps.ts';
import { createCounters } from './observability/counters.ts';
import { configureServer, keepAliveSeconds, serverOptions } from './http/server-options.ts';

const config = readGatewayConfig();
const { HOST: host, PORT: port, METRICS_HOST: metricsHost, METRICS_PORT: metricsPort } = config;
const log = createLog('gateway', config.LOG_LEVEL);
const draining = new AbortController();
const counters = createCounters();
const metrics =
  metricsPort === undefined
    ? undefined
    : await (
        await import('./observability/metrics.ts')
      ).startGatewayMetrics({
        host: metricsHost,
        port: metricsPort,
        log,
        counters,
      });

leaveRoom();
await serveProcess({
  app: createApp({
    config,
    contracts: publicRoutes,
    log,
    clock: systemClock,
    draining: draining.signal,
    onAnswered: metrics?.onAnswered,
    counters,
  }),
  host,
  port,
  log,
  // Releasing startup memory saves 14 MB but slows every request by 6 %.
  isTrimmed: false,
  keepAliveTimeoutMs: keepAliveSeconds * 1000,
  serverOptions,
  configure: configureServer({ config, log, counters }),
  onDrain: () => draining.abort(),
});
