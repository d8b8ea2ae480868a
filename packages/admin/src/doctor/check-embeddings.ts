import { readFileSync } from 'node:fs';
import { failure, ok, skipped, type Finding } from '@commonplace/checks';
import type { Deployment } from './deployment.ts';

const check = 'search by meaning';
/** A model that was not used for a while may have to be loaded first. */
const timeoutMs = 10_000;

/** Has the service for embeddings embed one harmless word, and compares the length of the vector. */
export const checkEmbeddings = async ({ env }: Deployment): Promise<Finding[]> => {
  const url = env['EMBEDDINGS_URL'];
  if (!url) {
    return [skipped(check, 'EMBEDDINGS_URL is not set: notes are found by words')];
  }
  const key = readKey(env);
  if (key === null) {
    return [skipped(check, 'EMBEDDINGS_API_KEY_FILE cannot be read from here')];
  }
  const found = await lengthOfVector(url, env['EMBEDDINGS_MODEL'], key);
  const expected = Number(env['EMBEDDINGS_DIMENSIONS']);
  if (typeof found === 'string') {
    const remedy =
      'Compare EMBEDDINGS_URL, EMBEDDINGS_MODEL and EMBEDDINGS_API_KEY with the service. Until it responds, notes are found by words.';
    return [failure(check, `${new URL(url).host} ${found}`, remedy)];
  }
  return [
    found === expected
      ? ok(check, `${new URL(url).host} embeds in ${found} dimensions`)
      : failure(
          check,
          `vectors of ${env['EMBEDDINGS_MODEL']} have ${found} dimensions`,
          `Set EMBEDDINGS_DIMENSIONS to ${found}.`,
        ),
  ];
};

/** The key of the variable or of its file, as the notes service reads it; null: the file cannot be read, which the check of secrets says. */
const readKey = (env: Deployment['env']): string | null => {
  const path = env['EMBEDDINGS_API_KEY_FILE'];
  try {
    return path ? readFileSync(path, 'utf8').trim() : (env['EMBEDDINGS_API_KEY'] ?? '');
  } catch {
    return null;
  }
};

/** The length of a vector that the service makes, or what it does instead. */
const lengthOfVector = async (
  url: string,
  model: string | undefined,
  key: string,
): Promise<number | string> => {
  const sent = fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, input: ['test'] }),
  });
  const response = await sent.catch(() => null);
  if (!response?.ok) {
    return response
      ? `responds with ${response.status}`
      : `does not respond within ${timeoutMs / 1000} s`;
  }
  const body = (await response.json().catch(() => null)) as {
    readonly data?: readonly { readonly embedding?: unknown }[];
  } | null;
  const embedding = body?.data?.[0]?.embedding;
  return Array.isArray(embedding) ? embedding.length : 'responds without a vector';
};
