import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { countSpans } from './count-spans.ts';
import { createExporter } from './create-exporter.ts';
import { createSampler } from './create-sampler.ts';
import { createSpanBudgets } from './span-budgets.ts';
import type { TracingOptions } from './tracing-options.ts';

/** Spans that wait for the collector; more are dropped. Together with those on the way they take about 5 MB. */
const queuedMax = 2_048;
const batchMax = 512;
const sendAfterMs = 1_000;

/** Creates the provider whose spans go to a collector. Its module is loaded only where one is configured. */
export const createOtlpProvider = (options: TracingOptions): TracerProvider => {
  const budgets = createSpanBudgets();
  const batches = new BatchSpanProcessor({
    exporter: createExporter(options),
    maxQueueSize: queuedMax,
    maxExportBatchSize: batchMax,
    scheduledDelayMillis: sendAfterMs,
    exportTimeoutMillis: options.timeoutMs + 1_000,
    selfObsMeterProvider: countSpans(),
  });
  return new TracerProvider({
    sampler: createSampler(options, budgets),
    resource: resourceFromAttributes({
      ...options.resourceAttributes,
      'service.name': options.serviceName,
      'service.version': options.version,
    }),
    spanLimits: { attributeValueLengthLimit: 256, attributeCountLimit: 32 },
    spanProcessors: [
      {
        onStart: budgets.onStart,
        onEnd: (span) => batches.onEnd(span),
        forceFlush: () => batches.forceFlush(),
        shutdown: () => batches.shutdown(),
      },
    ],
  });
};
