import { trace, type Span } from '@opentelemetry/api';
import type { SpanProcessor } from '@opentelemetry/sdk-trace';

/** A stream of hours looks up its caller all the time, and a large job has thousands of statements. */
const spansPerRequestMax = 200;

/** How many spans the requests of a process may still start. */
export type SpanBudgets = Pick<SpanProcessor, 'onStart'> & {
  /** Whether this span may have one more descendant. */
  readonly take: (parent: Span) => boolean;
};

/** Creates the budgets: the first span of a request in this process has one, which all spans below it share. */
export const createSpanBudgets = (): SpanBudgets => {
  const budgets = new WeakMap<Span, { left: number }>();
  return {
    take: (parent) => {
      const budget = budgets.get(parent);
      if (budget === undefined || budget.left === 0) {
        return false;
      }
      budget.left -= 1;
      return true;
    },
    onStart: (span, context) => {
      const parent = trace.getSpan(context);
      budgets.set(span, (parent && budgets.get(parent)) ?? { left: spansPerRequestMax });
    },
  };
};
