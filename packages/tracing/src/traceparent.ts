const wellFormed =
  /^(?!ff)[0-9a-f]{2}-(?<traceId>(?!0{32})[0-9a-f]{32})-(?<spanId>(?!0{16})[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/;

export type RemoteSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
};

/** Reads a `traceparent` of W3C Trace Context; null for all else. */
export const parseTraceparent = (
  header: string | readonly string[] | undefined,
): RemoteSpan | null => {
  const found = typeof header === 'string' ? wellFormed.exec(header)?.groups : undefined;
  const { traceId, spanId, flags } = found ?? {};
  return traceId !== undefined && spanId !== undefined && flags !== undefined
    ? { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
    : null;
};

/** The `traceparent` of a span. */
export const formatTraceparent = ({ traceId, spanId, isSampled }: RemoteSpan): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
