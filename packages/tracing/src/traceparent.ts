import { TraceFlags, type SpanContext } from '@opentelemetry/api';

const wellFormed =
  /^(?!ff)[0-9a-f]{2}-(?<traceId>(?!0{32})[0-9a-f]{32})-(?<spanId>(?!0{16})[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/;

/** Reads a `traceparent` of W3C Trace Context; null for all else. */
export const parseTraceparent = (
  header: string | readonly string[] | undefined,
): SpanContext | null => {
  const found = typeof header === 'string' ? wellFormed.exec(header)?.groups : undefined;
  const { traceId, spanId, flags } = found ?? {};
  return traceId !== undefined && spanId !== undefined && flags !== undefined
    ? {
        traceId,
        spanId,
        traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
        isRemote: true,
      }
    : null;
};

/** The `traceparent` of a span. */
export const formatTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags & TraceFlags.SAMPLED ? '01' : '00'}`;
