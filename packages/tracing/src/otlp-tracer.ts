import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { SpanKind } from '@opentelemetry/api';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { countSpans } from './count-spans.ts';
import { createExporter } from './create-exporter.ts';
import { createSampler, decidedContext, remoteContext } from './create-sampler.ts';
import { createBudget, recordedSpan, type RecordedSpan, type SpanBudget } from './recorded-span.ts';
import type { SpanOptions, Tracer } from './span.ts';
import { parseTraceparent } from './traceparent.ts';
import type { TracingOptions } from './tracing-options.ts';

/** Spans that wait for the collector; more are dropped. Together with those on the way they take about 5 MB. */
const queuedMax = 2_048;
const batchMax = 512;
const sendAfterMs = 1_000;
/** The end of a process waits no longer for the collector. */
const stopMaxMs = 2_000;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** Creates the tracer that sends spans to a collector. Its module is loaded only where one is configured. */
export const createOtlpTracer = (options: TracingOptions): Tracer => {
  const provider = createProvider(options);
  const tracer = provider.getTracer('commonplace');
  const active = new AsyncLocalStorage<RecordedSpan | null>();

  const start = (name: string, given: SpanOptions, parent: Parent): RecordedSpan | null => {
    const { kind = 'internal', attributes = {}, links = [] } = given;
    const contexts = links.map((link) => ({ context: (link as RecordedSpan).spanContext }));
    const started = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes, links: contexts },
      parent.context,
    );
    return started.isRecording() ? recordedSpan(started, parent.budget) : null;
  };

  return {
    startTrace: (name, { kind, traceparent }) =>
      start(name, { kind }, { context: remoteContext(traceparent), budget: createBudget() }),
    continueTrace: (name, traceparent) => {
      const remote = parseTraceparent(traceparent);
      return remote?.isSampled === true
        ? start(
            name,
            { kind: 'server' },
            { context: decidedContext(remote), budget: createBudget() },
          )
        : null;
    },
    startSpan: (name, given) => {
      const parent = openSpan((given.parent as RecordedSpan | undefined) ?? active.getStore());
      return parent?.budget.take() === true
        ? start(name, given, { context: parent.asParent(), budget: parent.budget })
        : null;
    },
    activeSpan: () => openSpan(active.getStore()),
    run: (span, work) => active.run(span as RecordedSpan | null, work),
    stop: async () => {
      await Promise.race([
        provider.shutdown().catch(() => undefined),
        sleep(stopMaxMs, undefined, { ref: false }),
      ]);
    },
  };
};

type Parent = {
  readonly context: ReturnType<typeof remoteContext>;
  readonly budget: SpanBudget;
};

/** An ended span is no parent: timers that a request started would add to its trace for ever. */
const openSpan = (span: RecordedSpan | null | undefined): RecordedSpan | null =>
  span === undefined || span === null || span.isEnded() ? null : span;

const createProvider = (options: TracingOptions): TracerProvider =>
  new TracerProvider({
    sampler: createSampler(options),
    resource: resourceFromAttributes({
      ...options.resourceAttributes,
      'service.name': options.serviceName,
      'service.version': options.version,
    }),
    spanLimits: { attributeValueLengthLimit: 256, attributeCountLimit: 32 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: createExporter(options),
        maxQueueSize: queuedMax,
        maxExportBatchSize: batchMax,
        scheduledDelayMillis: sendAfterMs,
        exportTimeoutMillis: options.timeoutMs + 1_000,
        selfObsMeterProvider: countSpans(),
      }),
    ],
  });
