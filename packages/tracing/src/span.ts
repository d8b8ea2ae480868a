export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** A recorded span. Where nothing is recorded there is none: functions return null instead. */
export type Span = {
  readonly traceId: string;
  /** The W3C header that makes spans elsewhere children of this one. */
  readonly traceparent: string;
  readonly rename: (name: string) => void;
  readonly annotate: (attributes: Attributes) => void;
  readonly link: (other: Span) => void;
  /** Ends the span, once; with a failure its status is an error. */
  readonly end: (failure?: { readonly type: string }) => void;
};

export type SpanOptions = {
  readonly kind?: 'server' | 'client' | 'internal';
  readonly attributes?: Attributes;
  /** The parent; default: the active span. */
  readonly parent?: Span;
  readonly links?: readonly Span[];
};

/** Makes spans. Every function but `run` returns null where nothing is recorded. */
export type Tracer = {
  /** A span without a parent in this process. The sampler decides; `traceparent` is the caller's. */
  readonly startTrace: (name: string, options: TraceOptions) => Span | null;
  /** A span of a trace that the gateway records. */
  readonly continueTrace: (name: string, traceparent: string) => Span | null;
  readonly startSpan: (name: string, options: SpanOptions) => Span | null;
  readonly activeSpan: () => Span | null;
  /** Runs work with this span as the active one, or with none. */
  readonly run: <Result>(span: Span | null, work: () => Result) => Result;
  /** Sends what is left, for a bounded time. */
  readonly stop: () => Promise<void>;
};

export type TraceOptions = {
  readonly kind: 'server' | 'internal';
  /** The caller's; one that is not well-formed counts as none. */
  readonly traceparent: string | readonly string[] | null | undefined;
};
