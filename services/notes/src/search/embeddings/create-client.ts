import type { EmbeddingsOptions } from '@commonplace/config';
import { readBounded } from '@commonplace/http';
import { readVectors } from './read-vectors.ts';
import type { Vector } from './vectors.ts';

/** The service did not respond in time, not within the bounds, not as the interface says, or with a failure of its own. */
export class EmbeddingsUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The embeddings service is unavailable: ${reason}`, options);
    this.name = 'EmbeddingsUnavailableError';
  }
}

/** The service refuses these texts, and may take others. */
export class EmbeddingsRefusedError extends Error {
  constructor(status: number) {
    super(`The embeddings service refused a text with ${status}`);
    this.name = 'EmbeddingsRefusedError';
  }
}

/** Texts of one kind to embed, of which the service must have responded in time. */
type EmbeddingsRequest = {
  readonly kind: 'query' | 'passage';
  readonly texts: readonly string[];
  readonly timeoutMs: number;
};

/** Embeds texts: a vector for each. Throws one of the two errors above. */
export type Embed = (request: EmbeddingsRequest) => Promise<Vector[]>;

/** What a vector takes at most as JSON, by dimension, and what is around the vectors. */
const jsonBytes = { dimension: 32, around: 64 * 1024 } as const;
/** What services respond to texts that are too long or of wrong form. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

export type EmbeddingsClientOptions = EmbeddingsOptions & {
  /** Called with the outcome of each request. */
  readonly onOutcome: (outcome: EmbeddingsOutcome) => void;
};

export type EmbeddingsOutcome = 'succeeded' | 'refused' | 'unavailable';

/**
 * Creates the client of an OpenAI-compatible service. A request ends at its time limit, reads a bounded response and
 * follows no redirect, so that texts go nowhere else. No error has a text or the key in it.
 */
export const createEmbeddingsClient =
  (options: EmbeddingsClientOptions): Embed =>
  async (request) => {
    try {
      const vectors = await send(options, request);
      options.onOutcome('succeeded');
      return vectors;
    } catch (error) {
      const isRefused = error instanceof EmbeddingsRefusedError;
      options.onOutcome(isRefused ? 'refused' : 'unavailable');
      throw isRefused || error instanceof EmbeddingsUnavailableError
        ? error
        : new EmbeddingsUnavailableError('no complete response', { cause: error });
    }
  };

const send = async (
  { url, model, dimensions, apiKey, queryPrefix, passagePrefix }: EmbeddingsOptions,
  { kind, texts, timeoutMs }: EmbeddingsRequest,
): Promise<Vector[]> => {
  const prefix = kind === 'query' ? queryPrefix : passagePrefix;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({
      model,
      input: texts.map((text) => prefix + text),
      encoding_format: 'float',
    }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw refusals.has(response.status)
      ? new EmbeddingsRefusedError(response.status)
      : new EmbeddingsUnavailableError(`status ${response.status}`);
  }
  const bytesMax = jsonBytes.around + texts.length * dimensions * jsonBytes.dimension;
  const bytes = await readBounded(
    response.body,
    bytesMax,
    () => new EmbeddingsUnavailableError(`a response of more than ${bytesMax} bytes`),
  );
  const vectors = readVectors(bytes.toString('utf8'), {
    count: texts.length,
    dimensions,
  });
  if ('problem' in vectors) {
    throw new EmbeddingsUnavailableError(vectors.problem);
  }
  return vectors.vectors;
};
