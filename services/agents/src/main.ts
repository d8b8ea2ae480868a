import { serveProcess } from '@commonplace/http';
import { createApp } from './app.ts';
import { expireRuns } from './commands/expire-runs.ts';
import { readServiceConfig } from './config.ts';
import { createDeps } from './create-deps.ts';
import { repeat } from './repeat.ts';

const config = readServiceConfig();
const deps = createDeps(config);
const { db, clock, log, keyUses } = deps;

const stopExpiring = repeat(1_000, log, () => expireRuns(db, clock()));
const stopFlushing = repeat(1_000, log, keyUses.flush);

await serveProcess({
  app: createApp(deps),
  host: config.HOST,
  port: config.PORT,
  log,
  onClose: async () => {
    await Promise.all([stopExpiring(), stopFlushing()]);
    await keyUses.flush();
    await db.close();
  },
});
