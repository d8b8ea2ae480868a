import { serveProcess } from '@commonplace/http';
import { identityVerifier, signingKeys } from '@commonplace/identity';
import { createApp } from './app.ts';
import { readServiceConfig } from './config.ts';
import { createDeps } from './create-deps.ts';

const config = readServiceConfig();
const deps = createDeps({ databaseUrl: config.DATABASE_URL, logLevel: config.LOG_LEVEL });

await serveProcess({
  app: createApp({
    ...deps,
    verifyIdentity: identityVerifier(signingKeys(config.INTERNAL_IDENTITY_SECRETS)),
  }),
  host: config.HOST,
  port: config.PORT,
  log: deps.log,
  onClose: () => deps.db.close(),
});
