import type { EmbeddingsOptions } from '@commonplace/config';
import { readBounded } from '@commonplace/http';
import { readVectors } from './read-vectors.ts';
import type { Vector } from './vectors.ts';

/** The service embeds no text now, whatever it is. */
export class EmbeddingsUnavailableError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The embeddings service is unavailable: ${reason}`, options);
    this.name = 'EmbeddingsUnavailableError';
  }
}

/** There are no usable vectors of these texts. The service may have them of others. */
export class TextsNotEmbeddedError extends Error {
  readonly outcome: 'refused' | 'unavailable';
  constructor(reason: string, outcome: 'refused' | 'unavailable', options?: ErrorOptions) {
    super(`The embeddings service did not embed texts: ${reason}`, options);
    this.name = 'TextsNotEmbeddedError';
    this.outcome = outcome;
  }
}

/** Texts of one kind to embed, of which the service must have responded in time. */
type EmbeddingsRequest = {
  readonly kind: 'query' | 'passage';
  readonly texts: readonly string[];
  readonly timeoutMs: number;
  /** Ends the request: this process stops. */
  readonly stopping?: AbortSignal;
};

/** Embeds texts: a vector for each. Throws one of the two errors above. */
export type Embed = (request: EmbeddingsRequest) => Promise<Vector[]>;

/** What a vector takes at most as JSON, by dimension, and what is around the vectors. */
const jsonBytes = { dimension: 32, around: 64 * 1024 } as const;
/** What services respond to texts that are too long or of wrong form. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);
/** What services respond to a key that is not valid, to too many requests and while they are overloaded. */
const overall: ReadonlySet<number> = new Set([401, 403, 429, 503]);

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
      if (request.stopping?.aborted) {
        throw new EmbeddingsUnavailableError('this process stops', { cause: error });
      }
      const failure = asFailure(error);
      options.onOutcome('outcome' in failure ? failure.outcome : 'unavailable');
      throw failure;
    }
  };

const asFailure = (error: unknown): EmbeddingsUnavailableError | TextsNotEmbeddedError =>
  error instanceof EmbeddingsUnavailableError || error instanceof TextsNotEmbeddedError
    ? error
    : new TextsNotEmbeddedError('no complete response', 'unavailable', { cause: error });

const send = async (
  { url, model, dimensions, apiKey, queryPrefix, passagePrefix }: EmbeddingsOptions,
  { kind, texts, timeoutMs, stopping }: EmbeddingsRequest,
): Promise<Vector[]> => {
  const timeout = AbortSignal.timeout(timeoutMs);
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
    signal: stopping ? AbortSignal.any([stopping, timeout]) : timeout,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw failureOf(response.status);
  }
  const bytesMax = jsonBytes.around + texts.length * dimensions * jsonBytes.dimension;
  const bytes = await readBounded(response.body, bytesMax, () =>
    notEmbedded(`a response of more than ${bytesMax} bytes`),
  );
  const vectors = readVectors(bytes.toString('utf8'), {
    count: texts.length,
    dimensions,
  });
  if ('problem' in vectors) {
    throw notEmbedded(vectors.problem);
  }
  return vectors.vectors;
};

const failureOf = (status: number): EmbeddingsUnavailableError | TextsNotEmbeddedError => {
  const reason = `status ${status}`;
  if (overall.has(status)) {
    return new EmbeddingsUnavailableError(reason);
  }
  return refusals.has(status) ? new TextsNotEmbeddedError(reason, 'refused') : notEmbedded(reason);
};

const notEmbedded = (reason: string) => new TextsNotEmbeddedError(reason, 'unavailable');
