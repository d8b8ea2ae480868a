/** Told once per answered request; the metrics listen here. */
export type OnResponse = (answered: {
  /** The declared path, which holds no ids. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}) => void;
