import {
  SpanStatusCode,
  type Context,
  type Span as SdkSpan,
  type SpanContext,
} from '@opentelemetry/api';
import { decidedContext } from './create-sampler.ts';
import type { Span } from './span.ts';
import { formatTraceparent } from './traceparent.ts';

/** How many spans one request of a process may still start. */
export type SpanBudget = { readonly take: () => boolean };

export type RecordedSpan = Span & {
  readonly spanContext: SpanContext;
  readonly budget: SpanBudget;
  readonly asParent: () => Context;
  readonly isEnded: () => boolean;
};

/** A stream of hours looks up its caller all the time, and a large job has thousands of statements. */
const spansPerRequestMax = 200;

/** Creates the budget of a request. */
export const createBudget = (): SpanBudget => {
  let left = spansPerRequestMax;
  return {
    take: () => {
      left -= 1;
      return left >= 0;
    },
  };
};

/** Wraps a span of the SDK that is recorded. */
export const recordedSpan = (span: SdkSpan, budget: SpanBudget): RecordedSpan => {
  const spanContext = span.spanContext();
  const remote = { traceId: spanContext.traceId, spanId: spanContext.spanId, isSampled: true };
  let isEnded = false;
  return {
    traceId: spanContext.traceId,
    traceparent: formatTraceparent(remote),
    spanContext,
    budget,
    asParent: () => decidedContext(remote),
    isEnded: () => isEnded,
    rename: (name) => void span.updateName(name),
    annotate: (attributes) => void span.setAttributes(attributes),
    link: (other) => void span.addLink({ context: (other as RecordedSpan).spanContext }),
    end: (failure) => {
      if (isEnded) {
        return;
      }
      isEnded = true;
      if (failure) {
        span.setAttribute('error.type', failure.type);
        span.setStatus({ code: SpanStatusCode.ERROR });
      }
      span.end();
    },
  };
};
