import { databaseOptions, embeddingsOptions } from '@commonplace/config';
import { refuseWrongStart, schemaCheck } from '@commonplace/db';
import {
  callerRecheck,
  limitYoungGenerationOfThreads,
  raiseHeapGrowthLimit,
  serveProcess,
  serviceClient,
  serviceMetrics,
} from '@commonplace/http';
import { identityMinter, identityVerifier, signingKeys } from '@commonplace/identity';
import { startTracing } from '@commonplace/tracing';
import { createApp } from './app.ts';
import { readServiceConfig, retentionOf } from './config.ts';
import { createDeps } from './create-deps.ts';
import { createAuthorLookup } from './context/describe-authors.ts';
import { createDirectory } from './context/list-directory.ts';
import { createSettingRecorder } from './search-settings/record-setting.ts';
import { createJobAuthorizer } from './jobs/authorize-job.ts';
import { createDecidersLookup } from './proposals/find-deciders.ts';
import { createStopSource } from './undo/stop-source.ts';
import { callerLookups } from './write/caller-lookups.ts';
import { collectors } from './collectors.ts';
import { runBackground } from './run-background.ts';
import { schemaNeeds } from './schema-needs.ts';

const config = readServiceConfig();
const keys = signingKeys(config.INTERNAL_IDENTITY_SECRETS);
const callAgents = serviceClient({
  baseUrls: config.AGENTS_URL,
  self: 'notes',
  mintIdentity: identityMinter(keys, 'notes'),
  timeoutMs: 5_000,
});
const deps = createDeps({
  database: databaseOptions(config),
  logLevel: config.LOG_LEVEL,
  authorizeJob: createJobAuthorizer(callAgents),
  describeAuthors: createAuthorLookup(callAgents),
  listDirectory: createDirectory(callAgents),
  recordSetting: createSettingRecorder(callAgents),
  embeddings: embeddingsOptions(config),
  stopSource: createStopSource(callAgents),
  findProposalDeciders: createDecidersLookup(callAgents),
});
await refuseWrongStart(schemaCheck(deps.db, schemaNeeds));
const stopping = new AbortController();
const working = runBackground(deps, retentionOf(config), stopping.signal);

const stopTracing = await startTracing('notes', config, deps.log);
const onResponse = await serviceMetrics({
  service: 'notes',
  config,
  log: deps.log,
  pool: deps.db.pool,
  collectors: collectors(deps),
});

raiseHeapGrowthLimit();
limitYoungGenerationOfThreads(4);
await serveProcess({
  app: createApp({
    ...deps,
    onResponse,
    verifyIdentity: identityVerifier(keys),
    recheckCaller: callerRecheck(callerLookups(callAgents)),
    largeBodyBytesMax: config.LARGE_BODY_MIB_MAX * 1024 * 1024,
  }),
  host: config.HOST,
  port: config.PORT,
  log: deps.log,
  onDrain: () => {
    stopping.abort();
    deps.feed.close();
  },
  onClose: async () => {
    await working;
    await deps.db.close();
    await stopTracing();
  },
});
