import { protocolRoutes, publicRoutes } from '@commonplace/contracts';
import { createLog, raiseHeapGrowthLimit, runProcess } from '@commonplace/http/core';
import { createApp } from './app.ts';
import { readGatewayConfig } from './config.ts';
import { systemClock } from './deps.ts';
import { createCounters } from './observability/counters.ts';
import { configureServer, keepAliveSeconds, serverOptions } from './http/server-options.ts';

const config = readGatewayConfig();
const log = createLog('gateway', config.LOG_LEVEL);
const counters = createCounters();

raiseHeapGrowthLimit();
await runProcess({
  name: 'gateway',
  config,
  log,
  startMetrics: async (place) => {
    const { startGatewayMetrics } = await import('./observability/metrics.ts');
    return startGatewayMetrics({ ...place, counters });
  },
  createApp: ({ onResponse, stopping }) =>
    createApp({
      config,
      contracts: [...publicRoutes, ...protocolRoutes],
      log,
      clock: systemClock,
      draining: stopping,
      onResponse,
      counters,
    }),
  keepAliveTimeoutMs: keepAliveSeconds * 1000,
  serverOptions,
  configure: configureServer({ config, log, counters }),
});
