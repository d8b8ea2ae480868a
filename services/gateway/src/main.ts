import { protocolRoutes, publicRoutes } from '@commonplace/contracts';
import { createLog, raiseHeapGrowthLimit, serveProcess } from '@commonplace/http/core';
import { startTracing } from '@commonplace/tracing';
import { createApp } from './app.ts';
import { readGatewayConfig } from './config.ts';
import { systemClock } from './deps.ts';
import { createCounters } from './observability/counters.ts';
import { configureServer, keepAliveSeconds, serverOptions } from './http/server-options.ts';

const config = readGatewayConfig();
const { HOST: host, PORT: port, METRICS_HOST: metricsHost, METRICS_PORT: metricsPort } = config;
const log = createLog('gateway', config.LOG_LEVEL);
const stopTracing = await startTracing('gateway', config, log);
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

raiseHeapGrowthLimit();
await serveProcess({
  app: createApp({
    config,
    contracts: [...publicRoutes, ...protocolRoutes],
    log,
    clock: systemClock,
    draining: draining.signal,
    onResponse: metrics?.onResponse,
    counters,
  }),
  host,
  port,
  log,
  keepAliveTimeoutMs: keepAliveSeconds * 1000,
  serverOptions,
  configure: configureServer({ config, log, counters }),
  onDrain: () => draining.abort(),
  onClose: stopTracing,
});
