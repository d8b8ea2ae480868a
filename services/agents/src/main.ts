import { refuseWrongStart, refusingLater, schemaCheck } from '@commonplace/checks';
import { runService } from '@commonplace/http';
import { createApp } from './app.ts';
import { checkConfiguration } from './check-configuration.ts';
import { readServiceConfig } from './config.ts';
import { createDeps } from './create-deps.ts';
import { runBackground } from './run-background.ts';
import { schemaNeeds } from './schema-needs.ts';

const config = readServiceConfig();
const deps = createDeps(config);
const { db, lookups, log, keyUsage, connectionUsage } = deps;
const checked = checkConfiguration(db, config);
await refuseWrongStart(schemaCheck(db, schemaNeeds), checked);
const assertConfiguration = refusingLater(checked);

await runService({
  name: 'agents',
  config,
  log,
  databases: [db, lookups],
  createApp: ({ onResponse }) => createApp({ ...deps, onResponse, assertConfiguration }),
  background: (stopping) => runBackground(deps, stopping),
  onClose: async () => {
    await keyUsage.flush();
    await connectionUsage.flush();
  },
});
