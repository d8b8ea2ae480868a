import { randomInt } from 'node:crypto';
import { trace, TraceFlags, type Context } from '@opentelemetry/api';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  SamplingDecision,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import { whoDecides } from './beginning.ts';
import type { SpanBudgets } from './span-budgets.ts';
import type { TracingOptions } from './tracing-options.ts';

/**
 * The sampler of OTEL_TRACES_SAMPLER for the first span of a trace; the spans below it follow. An ended span has no
 * children: timers that a request started would add to its trace for ever.
 */
export const createSampler = (
  options: Pick<TracingOptions, 'sampler' | 'samplerRatio'>,
  budgets: SpanBudgets,
): Sampler => {
  const first = firstSampler(options);
  const follows = (context: Context): boolean => {
    const parent = trace.getSpan(context);
    return parent?.isRecording() === true && budgets.take(parent);
  };
  return {
    shouldSample: (...input) => {
      const [context] = input;
      const decides = whoDecides(context);
      if (decides === 'sampler') {
        return first.shouldSample(...input);
      }
      return recordIf(decides === 'caller' ? isSampled(context) : follows(context));
    },
    toString: () => first.toString(),
  };
};

const recordIf = (isRecorded: boolean) => ({
  decision: isRecorded ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD,
});

const isSampled = (context: Context): boolean =>
  trace.getSpanContext(context)?.traceFlags === TraceFlags.SAMPLED;

const firstSampler = ({
  sampler,
  samplerRatio,
}: Pick<TracingOptions, 'sampler' | 'samplerRatio'>): Sampler => {
  const byName = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => byChance(samplerRatio),
  };
  return sampler.startsWith('parentbased_')
    ? new ParentBasedSampler({
        root: byName[sampler.slice('parentbased_'.length) as keyof typeof byName](),
      })
    : byName[sampler as keyof typeof byName]();
};

const drawnFrom = 2 ** 32;

/** Draws instead of calculating with the trace id: that comes from a client, which could choose one that is recorded. */
const byChance = (ratio: number): Sampler => ({
  shouldSample: () => recordIf(randomInt(drawnFrom) < ratio * drawnFrom),
  toString: () => `ByChance{${ratio}}`,
});
