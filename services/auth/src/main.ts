import { refuseWrongStart, refusingLater, schemaCheck } from '@commonplace/checks';
import { runService } from '@commonplace/http';
import { identityVerifier, signingKeys } from '@commonplace/identity';
import { announceSetupLink } from './announce-setup-link.ts';
import { createApp } from './app.ts';
import { checkConfiguration } from './check-configuration.ts';
import { readServiceConfig } from './config.ts';
import { createDeps } from './create-deps.ts';
import { bootstrapInstance } from './bootstrap-instance.ts';
import { runBackground } from './run-background.ts';
import { schemaNeeds } from './schema-needs.ts';

const config = readServiceConfig();
const deps = await createDeps(config);
const { db, log } = deps;
const checked = checkConfiguration(db, config);
await refuseWrongStart(schemaCheck(db, schemaNeeds), checked);
const assertConfiguration = refusingLater(checked);
let isPrepared = false;

await runService({
  name: 'auth',
  config,
  log,
  databases: [db],
  createApp: ({ onResponse }) =>
    createApp({
      ...deps,
      onResponse,
      verifyIdentity: identityVerifier(signingKeys(config.INTERNAL_IDENTITY_SECRETS)),
      assertConfiguration,
      isBootstrapped: () => isPrepared,
    }),
  background: async (stopping) => {
    const preparation = { ...config, announce: announceSetupLink, assertConfiguration };
    await bootstrapInstance(deps, preparation, stopping);
    isPrepared = true;
    await runBackground(deps, stopping);
  },
});
