import {
  context,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Attributes,
  type Span,
  type SpanKind,
  type SpanOptions,
  type Tracer,
} from '@opentelemetry/api';
import { beginningOf, type Decides } from './beginning.ts';
import { formatTraceparent } from './traceparent.ts';

/** The tracer of the process. Until a collector is configured it is the API's own, whose spans do nothing. */
const tracer = (): Tracer => trace.getTracer('commonplace');

/** A span that does nothing, for what nobody follows. */
export const noSpan: Span = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

type FirstSpan = {
  readonly kind: SpanKind;
  /** The caller's; one that is not well-formed counts as none. */
  readonly traceparent: string | readonly string[] | undefined;
  /** Who decides whether it is recorded. */
  readonly decides: Decides;
  readonly attributes?: Attributes;
};

/** Starts the first span of a trace in this process. */
export const startTrace = (name: string, first: FirstSpan): Span => {
  const { kind, traceparent, decides, attributes = {} } = first;
  return tracer().startSpan(name, { kind, attributes }, beginningOf(traceparent, decides));
};

/** Starts a span below another one. Where that one is not recorded, or has ended, the new one does nothing. */
export const startSpan = (name: string, options: SpanOptions = {}, parent = activeSpan()): Span =>
  parent.isRecording()
    ? tracer().startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent))
    : noSpan;

/** The active span. Where none is recorded, or it has ended, it is one that does nothing. */
export const activeSpan = (): Span => {
  const span = trace.getActiveSpan();
  return span?.isRecording() === true ? span : noSpan;
};

/** Runs work with this span as the active one. Where it is not recorded, the one before stays active. */
export const withSpan = <Result>(span: Span, work: () => Result): Result =>
  span.isRecording() ? context.with(trace.setSpan(ROOT_CONTEXT, span), work) : work();

/**
 * Runs a request with its first span as the active one, or with none if that is not recorded. The context it begins in
 * can be that of another request: a pipelined one begins while the one before it ends.
 */
export const withFirstSpan = <Result>(span: Span, work: () => Result): Result =>
  span.isRecording() ? withSpan(span, work) : withoutSpan(work);

/** Runs work as if it belonged to no request. */
export const withoutSpan = <Result>(work: () => Result): Result => context.with(ROOT_CONTEXT, work);

/** Runs work in a span below the active one, which ends with it. */
export const inSpan = <Result>(
  name: string,
  work: () => Promise<Result>,
  options?: SpanOptions,
): Promise<Result> => endAfter(startSpan(name, options), work);

/** Runs work with this span as the active one, and ends it. */
export const endAfter = <Result>(span: Span, work: () => Promise<Result>): Promise<Result> =>
  span.isRecording() ? withSpan(span, () => ended(span, work)) : work();

const ended = async <Result>(span: Span, work: () => Promise<Result>): Promise<Result> => {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    endWithError(span, error);
    throw error;
  }
};

/**
 * Ends a span with the code of an error, never with its message, which may quote what a client sent. A rejected request
 * (below 500) is not a failure of ours.
 */
export const endWithError = (span: Span, error: unknown): void => {
  const { code, status, name } = Object(error) as {
    readonly code?: unknown;
    readonly status?: unknown;
    readonly name?: unknown;
  };
  const type = typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
  if (typeof status === 'number' && status < 500) {
    span.setAttribute('error.type', type);
    span.end();
  } else {
    endFailed(span, type);
  }
};

/** Ends a span as failed. */
export const endFailed = (span: Span, type: string): void => {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
};

/** The W3C header that makes spans elsewhere children of this one; undefined without a trace. */
export const traceparentOf = (span: Span): string | undefined => {
  const spanContext = span.spanContext();
  return trace.isSpanContextValid(spanContext) ? formatTraceparent(spanContext) : undefined;
};

/** The id of the trace, for log lines; undefined where nothing is recorded. */
export const traceIdOf = (span: Span): string | undefined =>
  span.isRecording() ? span.spanContext().traceId : undefined;
