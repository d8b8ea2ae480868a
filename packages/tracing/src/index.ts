export type { Attributes, Span } from './span.ts';
export { spanCounts } from './span-counts.ts';
export { startTracing, type TracingConfig } from './start-tracing.ts';
export { formatTraceparent, parseTraceparent } from './traceparent.ts';
export {
  activeSpan,
  continueTrace,
  endAfter,
  endWithError,
  inSpan,
  isTracing,
  startSpan,
  startTrace,
  traceFields,
  withSpan,
} from './tracing.ts';
