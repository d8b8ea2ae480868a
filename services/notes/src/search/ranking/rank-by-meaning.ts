import type { CompanyTx } from '@commonplace/db';
import { listVectors } from '../../queries/embeddings.ts';
import type { QueryMeaning } from '../embeddings/query-meaning.ts';
import { bestSimilarity } from '../embeddings/vectors.ts';
import { blend } from './blend.ts';
import type { Ranking } from './rank-notes.ts';

/** Vectors of candidates that are read for a search: those of some thousand chunks. */
const vectorBytesMax = 4 * 1024 * 1024;

/** Ranks the candidates of a search by their words and by how similar a part of them is to the query. */
export const rankByMeaning = async (
  tx: CompanyTx,
  ranking: Ranking,
  { vector, profile }: QueryMeaning,
): Promise<Ranking> => {
  const ids = ranking.notes.map(({ id }) => id);
  if (ids.length === 0) {
    return ranking;
  }
  const rows = await listVectors(tx, { ids, profile, bytesMax: vectorBytesMax });
  const similarities = new Map<string, number>();
  for (const { noteId, vectors } of rows) {
    const similarity = bestSimilarity(vector, vectors);
    if (similarity !== null) {
      similarities.set(noteId, similarity);
    }
  }
  return { ...ranking, notes: blend(ranking, similarities) };
};
