type EmbeddingsConfig = {
  readonly EMBEDDINGS_URL?: string | undefined;
  readonly EMBEDDINGS_MODEL?: string | undefined;
  readonly EMBEDDINGS_DIMENSIONS?: number | undefined;
  readonly EMBEDDINGS_API_KEY?: string | undefined;
  readonly EMBEDDINGS_QUERY_PREFIX: string;
  readonly EMBEDDINGS_PASSAGE_PREFIX: string;
};

/** A service for embeddings, and what requests to it contain. */
export type EmbeddingsOptions = {
  readonly url: string;
  readonly model: string;
  /** The length of its vectors. */
  readonly dimensions: number;
  readonly apiKey: string | undefined;
  readonly queryPrefix: string;
  readonly passagePrefix: string;
};

/** The same, in the words of the notes service; null: embeddings are off. */
export const embeddingsOptions = (config: EmbeddingsConfig): EmbeddingsOptions | null => {
  const { EMBEDDINGS_URL, EMBEDDINGS_MODEL, EMBEDDINGS_DIMENSIONS } = config;
  return EMBEDDINGS_URL === undefined ||
    EMBEDDINGS_MODEL === undefined ||
    EMBEDDINGS_DIMENSIONS === undefined
    ? null
    : {
        url: EMBEDDINGS_URL,
        model: EMBEDDINGS_MODEL,
        dimensions: EMBEDDINGS_DIMENSIONS,
        apiKey: config.EMBEDDINGS_API_KEY,
        queryPrefix: config.EMBEDDINGS_QUERY_PREFIX,
        passagePrefix: config.EMBEDDINGS_PASSAGE_PREFIX,
      };
};

/** Whether the URL comes with the name of a model and the length of its vectors. */
export const isEmbeddingsComplete = ({
  EMBEDDINGS_URL,
  EMBEDDINGS_MODEL,
  EMBEDDINGS_DIMENSIONS,
}: Readonly<Partial<Record<keyof EmbeddingsConfig, unknown>>>): boolean =>
  EMBEDDINGS_URL === undefined ||
  (EMBEDDINGS_MODEL !== undefined && EMBEDDINGS_DIMENSIONS !== undefined);

/** The message of an incomplete configuration, at `EMBEDDINGS_URL`. */
export const embeddingsIncomplete = {
  path: ['EMBEDDINGS_URL'],
  message: 'needs EMBEDDINGS_MODEL and EMBEDDINGS_DIMENSIONS as well',
};
