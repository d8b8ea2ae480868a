import { refuseWrongStart, refusingLater, schemaCheck } from '@commonplace/db';
import { serveProcess, serviceMetrics } from '@commonplace/http';
import { startTracing } from '@commonplace/tracing';
import { createApp } from './app.ts';
import { checkConfiguration } from './check-configuration.ts';
import { readServiceConfig } from './config.ts';
import { createDeps } from './create-deps.ts';
import { runBackground } from './run-background.ts';
import { schemaNeeds } from './schema-needs.ts';

const config = readServiceConfig();
const deps = createDeps(config);
const { db, lookups, log, keyUsage, connectionUsage } = deps;
const assertConfiguration = checkConfiguration(db, config);
await refuseWrongStart(schemaCheck(db, schemaNeeds), assertConfiguration);

const stopping = new AbortController();
const background = runBackground(deps, stopping.signal);

const stopTracing = await startTracing('agents', config, log);
const onResponse = await serviceMetrics({
  service: 'agents',
  config,
  log: deps.log,
  pool: deps.db.pool,
});

await serveProcess({
  app: createApp({ ...deps, onResponse, assertConfiguration: refusingLater(assertConfiguration) }),
  host: config.HOST,
  port: config.PORT,
  log,
  onClose: async () => {
    stopping.abort();
    await background;
    await keyUsage.flush();
    await connectionUsage.flush();
    await Promise.all([db.close(), lookups.close()]);
    await stopTracing();
  },
});
