/**
 * A request to repeat. In path and body `{{id}}` becomes a UUID and `{{n}}` a number, another one with
 * every request.
 */
export type LoadRequest = {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** What to ask for, and how hard. Connection number i repeats request i, modulo their number. */
export type Load = {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  /** Every connection goes through all of the requests, over and over. */
  readonly isCycled?: boolean;
  readonly seconds: number;
  /** Over all connections; default: as many as there can be. */
  readonly perSecondMax?: number;
};

/** What the server made of it. */
export type LoadFigures = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
  /** Answers other than 2xx, and requests without an answer. */
  readonly failed: number;
};
