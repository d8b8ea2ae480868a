/** The samplers of OTEL_TRACES_SAMPLER. */
export type SamplerName =
  | 'always_on'
  | 'always_off'
  | 'traceidratio'
  | 'parentbased_always_on'
  | 'parentbased_always_off'
  | 'parentbased_traceidratio';

/** Where spans go, and which. */
export type TracingOptions = {
  readonly serviceName: string;
  readonly version: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  /** The base URL of a collector with OTLP over HTTP. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly sampler: SamplerName;
  /** For the samplers by trace id: the share of traces that are recorded, 0 to 1. */
  readonly samplerRatio: number;
  /** Called at most once a minute while spans cannot be sent. */
  readonly onFailure: (error: Error) => void;
};
