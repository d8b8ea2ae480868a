/** The parts without express: problems, logs, servers and service clients. The gateway imports only this. */
export { afterReading } from './client/after-reading.ts';
export * from './client/service-client.ts';
export * from './logging/caller-fields.ts';
export { assertCallerKind } from './pipeline/caller-kind.ts';
export * from './logging/create-log.ts';
export { currentResponseOf, pipelinedMax } from './server/in-order.ts';
export { isReadableType } from './pipeline/is-json-in-utf8.ts';
export { isProbe } from './logging/is-probe.ts';
export { parseOrThrow } from './pipeline/parse-request.ts';
export { raiseHeapGrowthLimit } from './runtime/v8-flags.ts';
export * from './logging/log-failure.ts';
export { newestResponseOf } from './server/connection-tracker.ts';
export { isStreamRequest } from './server/is-stream-request.ts';
export type { OnResponse } from './server/on-response.ts';
export * from './pipeline/problem.ts';
export * from './client/probe-service.ts';
export * from './server/serve.ts';
export { serviceAgent, type ServiceAgent } from './client/balanced-agent.ts';
