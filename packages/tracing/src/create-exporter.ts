import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { TracingOptions } from './tracing-options.ts';

const reportPauseMs = 60_000;
/**
 * A collector that sends its response byte by byte holds a request for as long as it likes. The end of a process sends
 * all that waits at once: four batches.
 */
const requestsMax = 8;

/** Creates the exporter, which reports at most once a minute that it cannot send. Those spans are lost. */
export const createExporter = ({
  endpoint,
  headers,
  timeoutMs,
  onFailure,
}: Pick<TracingOptions, 'endpoint' | 'headers' | 'timeoutMs' | 'onFailure'>): SpanExporter => {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: { ...headers },
    timeoutMillis: timeoutMs,
    concurrencyLimit: requestsMax,
  });
  let reportedAtMs = -Infinity;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const nowMs = performance.now();
        if (result.error && nowMs - reportedAtMs >= reportPauseMs) {
          reportedAtMs = nowMs;
          onFailure(result.error);
        }
        done(result);
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown(),
  };
};
