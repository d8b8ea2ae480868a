import { refuseWrongStart, refusingLater, schemaCheck } from '@commonplace/db';
import { serveProcess } from '@commonplace/http';
import { createApp } from './app.ts';
import { checkConfiguration } from './check-configuration.ts';
import { expireRuns } from './commands/expire-runs.ts';
import { finishCancellations } from './commands/finish-cancellations.ts';
import { readServiceConfig } from './config.ts';
import { createDeps } from './create-deps.ts';
import { runPeriodically } from './run-periodically.ts';
import { schemaNeeds } from './schema-needs.ts';

const config = readServiceConfig();
const deps = createDeps(config);
const { db, clock, log, keyUsage } = deps;
const assertConfiguration = checkConfiguration(db, config);
await refuseWrongStart(schemaCheck(db, schemaNeeds), assertConfiguration);

const stopExpiring = runPeriodically(1_000, log, () => expireRuns(db, clock()));
const stopCancelling = runPeriodically(1_000, log, () => finishCancellations(db));
const stopFlushing = runPeriodically(1_000, log, keyUsage.flush);

const onResponse =
  config.METRICS_PORT === undefined
    ? undefined
    : await (
        await import('@commonplace/http/metrics')
      ).startServiceMetrics({
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
    await Promise.all([stopExpiring(), stopCancelling(), stopFlushing()]);
    await keyUsage.flush();
    await db.close();
  },
});
