import type { NoteId } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { listVectors } from '../../queries/embeddings.ts';
import { listNearestNotes } from '../../queries/nearest-notes.ts';
import type { NoteFilters } from '../../queries/note-filters.ts';
import type { QueryMeaning } from '../embeddings/query-meaning.ts';
import { bestSimilarity, signsOf, type Similarity } from '../embeddings/vectors.ts';
import { blend, isCoveredByWords } from './blend.ts';
import type { Ranking } from './rank-notes.ts';

/** Vectors of candidates that are read for a search: those of some thousand chunks. */
const vectorBytesMax = 4 * 1024 * 1024;
/** Notes that are found by their vectors alone. */
const nearestMax = 50;

/**
 * Ranks notes by their words and by how similar a part of them is to the query: the candidates that words found and, unless
 * phrases or excluded words bind or the company is too large, the nearest ones of all.
 */
export const rankByMeaning = async (
  tx: CompanyTx,
  ranking: Ranking,
  { meaning, filters }: { readonly meaning: QueryMeaning; readonly filters: NoteFilters },
): Promise<Ranking> => {
  const { vector, profile, isLarge } = meaning;
  if (isCoveredByWords(ranking)) {
    return ranking;
  }
  const nearest =
    ranking.isBound || isLarge
      ? []
      : await listNearestNotes(tx, { filters, signs: signsOf(vector), limit: nearestMax });
  // The nearest first, because only so many bytes are read.
  const ids = [...new Set<NoteId>([...nearest, ...ranking.notes.map(({ id }) => id)])];
  if (ids.length === 0) {
    return ranking;
  }
  const rows = await listVectors(tx, { ids, profile, bytesMax: vectorBytesMax });
  const similarities = new Map<NoteId, Similarity>();
  for (const { noteId, vectors } of rows) {
    const similarity = bestSimilarity(vector, vectors);
    if (similarity !== null) {
      similarities.set(noteId, similarity);
    }
  }
  const places = new Map([...similarities].map(([id, { place }]) => [id, place]));
  return { ...ranking, places, notes: blend(ranking.notes, similarities) };
};
