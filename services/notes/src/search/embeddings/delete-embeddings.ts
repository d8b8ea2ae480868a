import type { CompanyId } from '@commonplace/contracts/core';
import { read, write, type Db } from '@commonplace/db';
import {
  deleteEmbeddingProgress,
  deleteEmbeddings,
  deleteEmbeddingsOfDeleted,
  findDeletedNo,
  updateDeletedNo,
} from '../../queries/embeddings.ts';
import { findFeed } from '../../queries/feed.ts';
import { findEmbeddingState } from '../../queries/search-settings.ts';

const never = new AbortController().signal;

/** Notes whose vectors one transaction deletes. */
const batchNotes = 1_000;

/** Deletes the vectors of notes that were deleted since. Needs no service. */
export const deleteOfDeletedNotes = async (db: Db, companyId: CompanyId): Promise<void> => {
  const upTo = (await read(db, companyId, findFeed))?.head ?? 0;
  const after = await read(db, companyId, findDeletedNo);
  if (after === null || after >= upTo) {
    return;
  }
  await write(db, companyId, async (tx) => {
    await deleteEmbeddingsOfDeleted(tx, { after, upTo });
    await updateDeletedNo(tx, upTo);
  });
};

/** Deletes all vectors of a company that is switched off, in batches; does nothing to one that is on. */
export const deleteAllEmbeddings = async (
  db: Db,
  companyId: CompanyId,
  stopping: AbortSignal = never,
): Promise<void> => {
  let deleted = batchNotes;
  while (deleted === batchNotes && !stopping.aborted) {
    deleted = await write(db, companyId, async (tx) =>
      (await findEmbeddingState(tx)).isEnabled ? -1 : deleteEmbeddings(tx, batchNotes),
    );
  }
  if (deleted >= 0 && deleted < batchNotes) {
    await write(db, companyId, deleteEmbeddingProgress);
  }
};
