import { createContextKey, ROOT_CONTEXT, trace, type Context } from '@opentelemetry/api';
import { parseTraceparent } from './traceparent.ts';

/** Who decides whether a trace is recorded: the configured sampler, or the process that called. */
export type Decides = 'sampler' | 'caller';

const decidesKey = createContextKey('who decides whether the trace is recorded');

const beginnings: Readonly<Record<Decides, Context>> = {
  sampler: ROOT_CONTEXT.setValue(decidesKey, 'sampler'),
  caller: ROOT_CONTEXT.setValue(decidesKey, 'caller'),
};

/** The context of the first span in this process: below the span of a `traceparent`, if there is a well-formed one. */
export const beginningOf = (
  traceparent: string | readonly string[] | undefined,
  decides: Decides,
): Context => {
  const remote = parseTraceparent(traceparent);
  const beginning = beginnings[decides];
  return remote ? trace.setSpanContext(beginning, remote) : beginning;
};

/** Undefined below a span of this process. */
export const whoDecides = (context: Context): Decides | undefined =>
  context.getValue(decidesKey) as Decides | undefined;
