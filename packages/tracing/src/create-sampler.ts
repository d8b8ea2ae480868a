import {
  createContextKey,
  ROOT_CONTEXT,
  trace,
  TraceFlags,
  type Context,
} from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  SamplingDecision,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import { parseTraceparent, type RemoteSpan } from './traceparent.ts';
import type { TraceOptions } from './span.ts';
import type { TracingOptions } from './tracing-options.ts';

/** Marks a context whose trace is recorded: the configured sampler decides on the first span of a trace only. */
const isDecided = createContextKey('the trace is recorded');

/** The sampler of OTEL_TRACES_SAMPLER for the first span of a trace; the spans below it follow. */
export const createSampler = (
  options: Pick<TracingOptions, 'sampler' | 'samplerRatio'>,
): Sampler => {
  const first = firstSampler(options);
  return {
    shouldSample: (...input) =>
      input[0].getValue(isDecided) === true
        ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
        : first.shouldSample(...input),
    toString: () => first.toString(),
  };
};

const firstSampler = ({
  sampler,
  samplerRatio,
}: Pick<TracingOptions, 'sampler' | 'samplerRatio'>): Sampler => {
  const byName = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(samplerRatio),
  };
  return sampler.startsWith('parentbased_')
    ? new ParentBasedSampler({
        root: byName[sampler.slice('parentbased_'.length) as keyof typeof byName](),
      })
    : byName[sampler as keyof typeof byName]();
};

/** The context of the first span here: below the span of the caller, if there is one. */
export const remoteContext = (traceparent: TraceOptions['traceparent']): Context => {
  const remote = parseTraceparent(traceparent ?? undefined);
  return remote ? contextOf(remote) : ROOT_CONTEXT;
};

/** The context below a span that is recorded. */
export const decidedContext = (remote: RemoteSpan): Context =>
  contextOf(remote).setValue(isDecided, true);

const contextOf = ({ traceId, spanId, isSampled }: RemoteSpan): Context =>
  trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  });
