import { createNoopMeter, type MeterProvider } from '@opentelemetry/api';
import { spanCounts } from './span-counts.ts';

/** The metric of the SDK for spans that its queue is done with; those that were lost have `error.type`. */
const processed = 'otel.sdk.processor.span.processed';

/** Reads from the SDK's own metrics what became of the spans; nothing else counts those dropped from its queue. */
export const countSpans = (): MeterProvider => {
  const meter = createNoopMeter();
  const counter: ReturnType<typeof meter.createCounter> = {
    add: (count, attributes = {}) => {
      spanCounts['error.type' in attributes ? 'lost' : 'sent'] += count;
    },
  };
  const noCounter = meter.createCounter('');
  return {
    getMeter: () =>
      Object.assign(Object.create(meter) as typeof meter, {
        createCounter: (name: string) => (name === processed ? counter : noCounter),
      }),
  };
};
