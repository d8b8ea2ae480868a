export * from './as-caller.ts';
export * from './callers.ts';
export * from './documented.ts';
export {
  createTestDatabase,
  isCitusRun,
  testPasswords,
  testPasswordVariables,
  type TestDatabase,
} from './test-database.ts';
export { cliProgram } from './cli-program.ts';
export { compileCacheVariables, nodeEnvironment } from './node-environment.ts';
export { makeOwnDirectory } from './own-directory.ts';
export { queryNode } from './query-node.ts';
export * from './test-identity.ts';
export type { ReceivedSpan } from './read-spans.ts';
export {
  badWords,
  overloadingWord,
  startEmbeddingsServer,
  type EmbeddingsServer,
} from './embeddings-server.ts';
export { startTraceCollector, type TraceCollector } from './trace-collector.ts';
export * from './while-it-waits.ts';
export { until } from './until.ts';
