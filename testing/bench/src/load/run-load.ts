import { fileURLToPath } from 'node:url';
import { runRepeatedTask } from '../run-child.ts';

/**
 * A request to repeat. In path and body, `{{id}}` becomes a new UUID and `{{n}}` a new number with
 * every request, and `{{value}}` the present one of `rotation`.
 */
export type LoadRequest = {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly rotation?: Rotation;
};

/** Each value is used for so many requests of all connections together, then the next one. */
export type Rotation = { readonly values: readonly string[]; readonly requests: number };

/** The load to generate. Connection i repeats request i, modulo their number. */
export type Load = {
  readonly url: string;
  readonly requests: readonly LoadRequest[];
  readonly connections: number;
  /** Every connection cycles through all requests. */
  readonly isCycled?: boolean;
  readonly seconds: number;
  /** Over all connections; default: unlimited. */
  readonly perSecondMax?: number;
};

/** The measured throughput and latency. */
export type LoadFigures = {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly requests: number;
  /** Responses other than 2xx, and requests without a response. */
  readonly failed: number;
};

const file = fileURLToPath(import.meta.resolve('./load-process.ts'));

/** Generates load from a child process. Throws if more than 1 % of the requests fail. */
export const runLoad = async (load: Load): Promise<LoadFigures> => {
  const figures = await runRepeatedTask<LoadFigures>({ file, input: load });
  if (figures.failed > figures.requests / 100) {
    throw new Error(
      `${figures.failed} of ${figures.requests} requests to ${load.url}${load.requests[0]?.path} failed`,
    );
  }
  return figures;
};
