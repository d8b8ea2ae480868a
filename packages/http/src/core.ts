/** What needs no express: problems, logs, listening, calling services. The gateway imports only this. */
export { afterReading } from './after-reading.ts';
export * from './call-service.ts';
export * from './caller-fields.ts';
export { assertCallerKind } from './caller-kind.ts';
export * from './create-log.ts';
export { currentAnswerOf, pipelinedMax } from './in-order.ts';
export { isJsonInUtf8 } from './is-json-in-utf8.ts';
export { isProbe } from './is-probe.ts';
export { parseOrRefuse } from './parse-request.ts';
export { leaveRoom } from './leave-room.ts';
export * from './log-failure.ts';
export { newestAnswerOf } from './newest-answers.ts';
export type { OnAnswered } from './on-answered.ts';
export * from './problem.ts';
export * from './probe-service.ts';
export * from './serve.ts';
export { serviceAgent, type ServiceAgent } from './service-agent.ts';
export { codeOf } from './system-error-code.ts';
