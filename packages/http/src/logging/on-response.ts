/** Called once per response, for the metrics. */
export type OnResponse = (response: {
  /** The declared path, which holds no ids. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
  /** An event stream or long poll: its duration says nothing about how fast the service is. */
  readonly isStream: boolean;
}) => void;
