import { EmbeddingsUnavailableError, TextsNotEmbeddedError, type Embed } from './create-client.ts';
import type { Vector } from './vectors.ts';

/** Texts in a request, and the time it may take: models on a processor take some hundred milliseconds a text. */
export const batch = { texts: 16, timeoutMs: 30_000 } as const;

/** A text that every model takes. */
const harmless = 'test';

/**
 * Embeds passages in batches. A batch without vectors is halved until the text is found that the service does not embed; it
 * gets no vector. After each failure the service has to embed a harmless text: if it does not, no text is at fault, and
 * this throws that it is unavailable.
 */
export const embedPassages = async (
  embed: Embed,
  texts: readonly string[],
): Promise<(Vector | null)[]> => {
  const vectors: (Vector | null)[] = [];
  for (let from = 0; from < texts.length; from += batch.texts) {
    vectors.push(...(await embedBatch(embed, texts.slice(from, from + batch.texts))));
  }
  return vectors;
};

const embedBatch = async (embed: Embed, texts: readonly string[]): Promise<(Vector | null)[]> => {
  const vectors = await embedTexts(embed, texts);
  if (Array.isArray(vectors)) {
    return vectors;
  }
  if (texts.length > 1) {
    const middle = Math.ceil(texts.length / 2);
    return [
      ...(await embedBatch(embed, texts.slice(0, middle))),
      ...(await embedBatch(embed, texts.slice(middle))),
    ];
  }
  if (vectors.outcome === 'refused') {
    return [null];
  }
  // Any service fails now and then, and a text without a vector has none until it changes.
  const again = await embedTexts(embed, texts);
  return Array.isArray(again) ? again : [null];
};

/** The vectors, or why there are none of these texts. Throws if the service does not embed a harmless text then either. */
const embedTexts = async (
  embed: Embed,
  texts: readonly string[],
): Promise<Vector[] | TextsNotEmbeddedError> => {
  const { timeoutMs } = batch;
  try {
    return await embed({ kind: 'passage', texts, timeoutMs });
  } catch (error) {
    if (!(error instanceof TextsNotEmbeddedError)) {
      throw error;
    }
    await embed({ kind: 'passage', texts: [harmless], timeoutMs }).catch((cause: unknown) => {
      throw cause instanceof TextsNotEmbeddedError
        ? new EmbeddingsUnavailableError('it does not embed a harmless text either', { cause })
        : cause;
    });
    return error;
  }
};
