import { refuseWrongStart, refusingLater, schemaCheck } from '@commonplace/db';
import { serveProcess, serviceMetrics } from '@commonplace/http';
import { trimMemory } from '@commonplace/http/trim-memory';
import { identityVerifier, signingKeys } from '@commonplace/identity';
import { startTracing } from '@commonplace/tracing';
import { createApp } from './app.ts';
import { checkConfiguration } from './check-configuration.ts';
import { readServiceConfig } from './config.ts';
import { createDeps } from './create-deps.ts';
import { announceSetupLink } from './jobs/announce-setup-link.ts';
import { runMaintenance } from './jobs/maintenance.ts';
import { bootstrapInstance } from './jobs/bootstrap-instance.ts';
import { schemaNeeds } from './schema-needs.ts';

const config = readServiceConfig();
const deps = createDeps(config);
const checked = checkConfiguration(deps.db, config);
await refuseWrongStart(schemaCheck(deps.db, schemaNeeds), checked);
const assertConfiguration = refusingLater(checked);
const stopping = new AbortController();
let isPrepared = false;

const stopTracing = await startTracing('auth', config, deps.log);
const onResponse = await serviceMetrics({
  service: 'auth',
  config,
  log: deps.log,
  pool: deps.db.pool,
});

await serveProcess({
  app: createApp({
    ...deps,
    onResponse,
    verifyIdentity: identityVerifier(signingKeys(config.INTERNAL_IDENTITY_SECRETS)),
    assertConfiguration,
    isBootstrapped: () => isPrepared,
  }),
  host: config.HOST,
  port: config.PORT,
  log: deps.log,
  onDrain: () => stopping.abort(),
  onClose: async () => {
    await deps.db.close();
    await stopTracing();
  },
});
const preparation = { ...config, announce: announceSetupLink, assertConfiguration };
await bootstrapInstance(deps, preparation, stopping.signal);
isPrepared = true;
// Sign-ins and lookups of sessions are rare, so memory matters more than the speed of this process.
trimMemory();
await runMaintenance(deps, stopping.signal);
