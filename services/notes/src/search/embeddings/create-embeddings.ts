import type { EmbeddingsOptions } from '@commonplace/config';
import { createEmbeddingsClient, type Embed, type EmbeddingsOutcome } from './create-client.ts';
import { profileOf } from './profile.ts';
import { createQueryVectors, type VectorOfQuery } from './query-vectors.ts';

/** The service for embeddings that is configured. */
export type EmbeddingsPort = {
  readonly embed: Embed;
  readonly vectorOfQuery: VectorOfQuery;
  readonly profile: string;
  /** For the company that decides whether its notes are sent there. */
  readonly service: { readonly host: string; readonly model: string; readonly dimensions: number };
  /** Requests of this process by outcome. */
  readonly requests: Record<EmbeddingsOutcome, number>;
};

/** Creates what embeds notes and queries; null: no service is configured. */
export const createEmbeddings = (options: EmbeddingsOptions | null): EmbeddingsPort | null => {
  if (options === null) {
    return null;
  }
  const requests = { succeeded: 0, refused: 0, unavailable: 0 };
  const embed = createEmbeddingsClient({
    ...options,
    onOutcome: (outcome) => {
      requests[outcome] += 1;
    },
  });
  const { model, dimensions, url } = options;
  return {
    embed,
    vectorOfQuery: createQueryVectors(embed),
    profile: profileOf(options),
    service: { host: new URL(url).host, model, dimensions },
    requests,
  };
};
