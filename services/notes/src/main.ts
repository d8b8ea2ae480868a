import { databaseOptions, embeddingsOptions } from '@commonplace/config';
import { refuseWrongStart, schemaCheck } from '@commonplace/checks';
import {
  callerRecheck,
  limitYoungGenerationOfThreads,
  raiseHeapGrowthLimit,
  runService,
  serviceClient,
} from '@commonplace/http';
import { identityMinter, identityVerifier, signingKeys } from '@commonplace/identity';
import { createApp } from './app.ts';
import { readServiceConfig, retentionOf } from './config.ts';
import { createDeps } from './create-deps.ts';
import { createAuthorLookup } from './clients/describe-authors.ts';
import { createDirectory } from './clients/list-directory.ts';
import { createSettingRecorder } from './clients/record-setting.ts';
import { createJobAuthorizer } from './clients/authorize-job.ts';
import { createCallerAccessReader } from './clients/read-caller-access.ts';
import { createDecidersLookup } from './clients/find-deciders.ts';
import { createStopSource } from './clients/stop-source.ts';
import { callerLookups } from './clients/caller-lookups.ts';
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
  readCallerAccess: createCallerAccessReader(callAgents),
  describeAuthors: createAuthorLookup(callAgents),
  listDirectory: createDirectory(callAgents),
  recordSetting: createSettingRecorder(callAgents),
  embeddings: embeddingsOptions(config),
  stopSource: createStopSource(callAgents),
  findProposalDeciders: createDecidersLookup(callAgents),
});
await refuseWrongStart(schemaCheck(deps.db, schemaNeeds));

raiseHeapGrowthLimit();
limitYoungGenerationOfThreads(4);
await runService({
  name: 'notes',
  config,
  log: deps.log,
  databases: [deps.db],
  collectors: collectors(deps),
  createApp: ({ onResponse }) =>
    createApp({
      ...deps,
      onResponse,
      verifyIdentity: identityVerifier(keys),
      recheckCaller: callerRecheck(callerLookups(callAgents)),
      largeBodyBytesMax: config.LARGE_BODY_MIB_MAX * 1024 * 1024,
    }),
  background: (stopping) => runBackground(deps, retentionOf(config), stopping),
  onDrain: () => deps.feed.close(),
});
