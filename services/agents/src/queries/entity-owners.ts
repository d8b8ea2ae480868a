import type { CompanyId, EntityKind } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';
import type { ChangeTx } from './tx.ts';

/** Returns the company that owns an id, or null if the id does not exist (global table). */
export const findEntityOwner = async (
  tx: GlobalTx,
  kind: EntityKind,
  id: string,
): Promise<CompanyId | null> => {
  const [row] = await tx.query<{ companyId: CompanyId }>(findEntityOwnerSql, [id, kind]);
  return row?.companyId ?? null;
};

const findEntityOwnerSql = `
  select company_id as "companyId" from agents.entity_owners where id = $1 and kind = $2`;

/** Records the company that owns a new id (global table). */
export const insertEntityOwner = async (
  tx: ChangeTx,
  kind: EntityKind,
  id: string,
): Promise<void> => {
  await tx.query(insertEntityOwnerSql, [id, kind, tx.companyId]);
};

const insertEntityOwnerSql =
  'insert into agents.entity_owners (id, kind, company_id) values ($1, $2, $3)';
