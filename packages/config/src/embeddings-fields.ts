import { z } from 'zod';
import { httpUrl, wholeNumber } from './fields.ts';

const endpoint = httpUrl.refine((text) => {
  const url = URL.parse(text);
  return url !== null && url.username === '' && url.password === '' && url.hash === '';
}, 'must be an http:// or https:// URL without a user name, a password and a fragment');

const prefix = z.string().max(200).default('');

/** The service that notes are embedded by; without a URL there is none. */
export const embeddingsFields = {
  EMBEDDINGS_URL: endpoint.optional(),
  EMBEDDINGS_MODEL: z.string().min(1).max(200).optional(),
  EMBEDDINGS_DIMENSIONS: wholeNumber(2, 4096).optional(),
  EMBEDDINGS_API_KEY: z
    .string()
    .max(4096)
    .regex(/^[\x21-\x7e]+$/, 'must have only printable ASCII characters, without spaces')
    .optional(),
  EMBEDDINGS_QUERY_PREFIX: prefix,
  EMBEDDINGS_PASSAGE_PREFIX: prefix,
};

type EmbeddingsConfig = Readonly<z.output<z.ZodObject<typeof embeddingsFields>>>;

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
export const isEmbeddingsComplete = (config: EmbeddingsConfig): boolean =>
  config.EMBEDDINGS_URL === undefined || embeddingsOptions(config) !== null;

/** The message of an incomplete configuration, at `EMBEDDINGS_URL`. */
export const embeddingsIncomplete = {
  path: ['EMBEDDINGS_URL'],
  message: 'needs EMBEDDINGS_MODEL and EMBEDDINGS_DIMENSIONS as well',
};
