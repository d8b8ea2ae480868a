import { publicRoutes } from '@commonplace/contracts';
import { createLog, serveProcess } from '@commonplace/http/core';
import { createApp } from './app.ts';
import { keepAliveSeconds } from './clean-answer.ts';
import { readGatewayConfig } from './config.ts';
import { systemClock } from './deps.ts';
import { limitServer, serverOptions } from './server-limits.ts';

const config = readGatewayConfig();
const log = createLog('gateway', config.LOG_LEVEL);
const draining = new AbortController();

await serveProcess({
  app: createApp({
    config,
    contracts: publicRoutes,
    log,
    clock: systemClock,
    draining: draining.signal,
  }),
  host: config.HOST,
  port: config.PORT,
  log,
  keepAliveTimeoutMs: keepAliveSeconds * 1000,
  serverOptions,
  configure: limitServer,
  onDrain: () => draining.abort(),
});
