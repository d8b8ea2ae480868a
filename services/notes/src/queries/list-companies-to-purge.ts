import type { CompanyId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

/** What was there before these times is too old. */
export type PurgeLimits = {
  readonly tombstones: Date;
  readonly mutations: Date;
  readonly jobs: Date;
};

/** The companies that keep something too old. */
export const listCompaniesToPurge = async (
  tx: GlobalTx,
  { tombstones, mutations, jobs }: PurgeLimits,
): Promise<CompanyId[]> => {
  const rows = await tx.query<{ id: CompanyId }>(
    'select c.id from notes.companies_to_purge($1, $2, $3) as c (id)',
    [tombstones, mutations, jobs],
  );
  return rows.map(({ id }) => id);
};
