import type { Span, SpanOptions, Tracer, TraceOptions } from './span.ts';

/**
 * The tracer of the process; null while traces are off, and then every function here costs a comparison. It is state
 * of the module, as in the API of OpenTelemetry, because spans begin in layers that know nothing of each other.
 */
let tracer: Tracer | null = null;

/** Replaces the tracer of the process. */
export const setTracer = (next: Tracer | null): void => {
  tracer = next;
};

export const isTracing = (): boolean => tracer !== null;

/** Starts a span without a parent in this process, if the sampler says so. */
export const startTrace = (name: string, options: TraceOptions): Span | null =>
  tracer === null ? null : tracer.startTrace(name, options);

/** Starts a span below the one of a `traceparent`, if that one is recorded. */
export const continueTrace = (
  name: string,
  traceparent: string | readonly string[] | undefined,
): Span | null =>
  tracer === null || typeof traceparent !== 'string'
    ? null
    : tracer.continueTrace(name, traceparent);

const noOptions: SpanOptions = {};

/** Starts a span below the active one; null where there is none. */
export const startSpan = (name: string, options: SpanOptions = noOptions): Span | null =>
  tracer === null ? null : tracer.startSpan(name, options);

/** The active span; null where nothing is recorded. */
export const activeSpan = (): Span | null => (tracer === null ? null : tracer.activeSpan());

/** Runs work with this span as the active one; null: with none, as if it belonged to no request. */
export const withSpan = <Result>(span: Span | null, work: () => Result): Result =>
  tracer === null ? work() : tracer.run(span, work);

/** Runs work in a span below the active one, which ends with it. Where there is none, it just runs it. */
export const inSpan = <Result>(
  name: string,
  work: () => Promise<Result>,
  options?: SpanOptions,
): Promise<Result> => {
  const span = startSpan(name, options);
  return span === null ? work() : endAfter(span, work);
};

/** Runs work with this span as the active one, and ends it. */
export const endAfter = async <Result>(
  span: Span,
  work: () => Promise<Result>,
): Promise<Result> => {
  try {
    const result = await withSpan(span, work);
    span.end();
    return result;
  } catch (error) {
    endWithError(span, error);
    throw error;
  }
};

/**
 * Ends a span with the code of an error, never with its message, which may quote what a client sent. A rejected request
 * (below 500) is no failure of ours.
 */
export const endWithError = (span: Span, error: unknown): void => {
  const { code, status, name } = Object(error) as {
    readonly code?: unknown;
    readonly status?: unknown;
    readonly name?: unknown;
  };
  const type = typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
  if (typeof status === 'number' && status < 500) {
    span.annotate({ 'error.type': type });
    span.end();
  } else {
    span.end({ type });
  }
};

/** The field of a log line that names its trace; none where nothing is recorded. */
export const traceFields = (span: Span | null): { readonly traceId?: string } =>
  span === null ? noFields : { traceId: span.traceId };

const noFields = {};
