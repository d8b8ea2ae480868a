import type { CompanyId } from '@commonplace/contracts/core';
import { write, type CompanyTx } from '@commonplace/db';
import type { Deps } from '../deps.ts';
import type { PurgeBatch } from '../queries/purge.ts';

/** Rows per transaction: a bounded number, so that writes of the company never wait long. */
export const batchRows = 1_000;

type BatchedDelete = {
  readonly companyId: CompanyId;
  readonly before: Date;
  /** Returns how many rows it removed. */
  readonly remove: (tx: CompanyTx, batch: PurgeBatch) => Promise<number>;
  readonly stopping: AbortSignal;
};

/** Deletes in batches, one transaction each, until a batch is not full. */
export const deleteInBatches = async (
  { db }: Pick<Deps, 'db'>,
  { companyId, before, remove, stopping }: BatchedDelete,
): Promise<void> => {
  let removed = batchRows;
  while (removed === batchRows && !stopping.aborted) {
    removed = await write(db, companyId, (tx) => remove(tx, { before, limit: batchRows }));
  }
};
