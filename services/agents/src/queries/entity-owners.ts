import type { CompanyId, EntityKind } from '@commonplace/contracts/core';
import type { AnyTx, ChangeTx } from './tx.ts';

/** Says which company an id belongs to, null when it exists nowhere (global table). */
export const findEntityOwner = async (
  tx: AnyTx,
  kind: EntityKind,
  id: string,
): Promise<CompanyId | null> => {
  const [row] = await tx.query<{ companyId: CompanyId }>(findEntityOwnerSql, [id, kind]);
  return row?.companyId ?? null;
};

const findEntityOwnerSql = `
  select company_id as "companyId" from agents.entity_owners where id = $1 and kind = $2`;

/** Notes which company a new id belongs to (global table). */
export const insertEntityOwner = async (
  tx: ChangeTx,
  kind: EntityKind,
  id: string,
): Promise<void> => {
  await tx.query(insertEntityOwnerSql, [id, kind, tx.companyId]);
};

const insertEntityOwnerSql =
  'insert into agents.entity_owners (id, kind, company_id) values ($1, $2, $3)';
