import type { CompanyId, EntityKind } from '@commonplace/contracts/core';
import type { AnyTx } from './tx.ts';

/** Says which company an id belongs to, null when it exists nowhere (global table). */
export const findEntityOwner = async (
  tx: AnyTx,
  kind: EntityKind,
  id: string,
): Promise<CompanyId | null> => {
  const [row] = await tx.query<{ companyId: CompanyId }>(statement, [id, kind]);
  return row?.companyId ?? null;
};

const statement = `
  select company_id as "companyId" from agents.entity_owners where id = $1 and kind = $2`;
