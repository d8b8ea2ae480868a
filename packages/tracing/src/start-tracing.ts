import { setTimeout as sleep } from 'node:timers/promises';
import { context, trace } from '@opentelemetry/api';
import { readPairs } from './read-pairs.ts';
import type { SamplerName } from './tracing-options.ts';

/** The settings, as packages/config reads them. */
export type TracingConfig = {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS: string;
  readonly OTEL_EXPORTER_OTLP_TIMEOUT: number;
  readonly OTEL_SERVICE_NAME: string;
  readonly OTEL_RESOURCE_ATTRIBUTES: string;
  readonly OTEL_TRACES_SAMPLER: SamplerName;
  readonly OTEL_TRACES_SAMPLER_ARG: number;
};

/** The end of a process waits no longer for the collector. */
const stopMaxMs = 2_000;

type Log = {
  readonly info: (fields: object, message: string) => void;
  readonly warn: (fields: object, message: string) => void;
};

/**
 * Starts to trace if OTEL_EXPORTER_OTLP_ENDPOINT is set; without it only the API of OpenTelemetry is loaded,
 * whose spans do nothing. Returns what sends the last spans, within two seconds, when the process ends.
 */
export const startTracing = async (
  process: string,
  config: TracingConfig,
  log: Log,
): Promise<() => Promise<void>> => {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) {
    return () => Promise.resolve();
  }
  const [{ createOtlpProvider }, { createContextManager }, { readVersion }] = await Promise.all([
    import('./otlp-provider.ts'),
    import('./context-manager.ts'),
    import('./read-version.ts'),
  ]);
  const provider = createOtlpProvider({
    serviceName: `${config.OTEL_SERVICE_NAME}-${process}`,
    version: readVersion(),
    resourceAttributes: readPairs(config.OTEL_RESOURCE_ATTRIBUTES),
    endpoint,
    headers: readPairs(config.OTEL_EXPORTER_OTLP_HEADERS),
    timeoutMs: config.OTEL_EXPORTER_OTLP_TIMEOUT,
    sampler: config.OTEL_TRACES_SAMPLER,
    samplerRatio: config.OTEL_TRACES_SAMPLER_ARG,
    onFailure: ({ message }) => log.warn({ cause: message }, 'traces cannot be sent, and are lost'),
  });
  context.setGlobalContextManager(createContextManager());
  trace.setGlobalTracerProvider(provider);
  log.info({ sampler: config.OTEL_TRACES_SAMPLER }, 'traces are sent');
  return async () => {
    trace.disable();
    context.disable();
    await Promise.race([
      provider.shutdown().catch(() => undefined),
      sleep(stopMaxMs, undefined, { ref: false }),
    ]);
  };
};
