import type { CompanyId } from '@commonplace/contracts/core';
import { lookup, type Db } from '@commonplace/db';
import { findEmbeddingState } from '../../queries/search-settings.ts';
import type { EmbeddingsPort } from './create-embeddings.ts';
import type { Vector } from './vectors.ts';

/** The vector of a query, with the vectors of notes that it is compared with. */
export type QueryMeaning = {
  readonly vector: Vector;
  readonly profile: string;
  /** How far the notes are embedded. */
  readonly changeNo: number;
  /** The company has too many vectors to look at all of them. */
  readonly isLarge: boolean;
};

/** The meaning of a query of a company; null: it is ranked by words. Never throws. */
export type FindMeaning = (companyId: CompanyId, query: string) => Promise<QueryMeaning | null>;

/** Creates the lookup of meanings. Only companies that are switched on have their queries sent to the service. */
export const createFindMeaning =
  (db: Db, embeddings: EmbeddingsPort | null): FindMeaning =>
  async (companyId, query) => {
    const text = query.replaceAll('"', ' ').toWellFormed();
    if (embeddings === null || text.trim() === '') {
      return null;
    }
    const { profile, vectorOfQuery } = embeddings;
    const state = await lookup(db, companyId, findEmbeddingState);
    if (!state.isEnabled || state.profile !== profile) {
      return null;
    }
    const vector = await vectorOfQuery(text);
    const { changeNo, isLarge } = state;
    return vector && { vector, profile, changeNo, isLarge };
  };
