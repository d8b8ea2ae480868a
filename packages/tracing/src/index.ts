export { SpanKind, type Span } from '@opentelemetry/api';
export { spanCounts } from './span-counts.ts';
export { startTracing, type TracingConfig } from './start-tracing.ts';
export {
  activeSpan,
  endAfter,
  endFailed,
  endWithError,
  inSpan,
  noSpan,
  startSpan,
  startTrace,
  traceIdOf,
  traceparentOf,
  withFirstSpan,
  withoutSpan,
  withSpan,
} from './tracing.ts';
