import { EmbeddingsRefusedError, EmbeddingsUnavailableError, type Embed } from './create-client.ts';
import type { Vector } from './vectors.ts';

/** Texts in a request, and the time it may take: models on a processor take some hundred milliseconds a text. */
const batch = { texts: 16, timeoutMs: 30_000 } as const;

/** A text that every model takes. */
const harmless = 'test';

/**
 * Embeds passages in batches. A batch that is refused is halved until the text is found that the service refuses; it gets no
 * vector. If the service refuses a harmless text as well, it is not the text's fault.
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
  try {
    return await embed({ kind: 'passage', texts, timeoutMs: batch.timeoutMs });
  } catch (error) {
    if (!(error instanceof EmbeddingsRefusedError)) {
      throw error;
    }
  }
  if (texts.length > 1) {
    const middle = Math.ceil(texts.length / 2);
    return [
      ...(await embedBatch(embed, texts.slice(0, middle))),
      ...(await embedBatch(embed, texts.slice(middle))),
    ];
  }
  await assertTakesTexts(embed);
  return [null];
};

const assertTakesTexts = async (embed: Embed): Promise<void> => {
  try {
    await embed({ kind: 'passage', texts: [harmless], timeoutMs: batch.timeoutMs });
  } catch (error) {
    throw error instanceof EmbeddingsRefusedError
      ? new EmbeddingsUnavailableError('it refuses every text', { cause: error })
      : error;
  }
};
