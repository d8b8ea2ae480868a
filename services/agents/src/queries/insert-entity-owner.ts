import type { EntityKind } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';

/** Notes which company a new id belongs to (global table). */
export const insertEntityOwner = async (
  tx: ChangeTx,
  kind: EntityKind,
  id: string,
): Promise<void> => {
  await tx.query(statement, [id, kind, tx.companyId]);
};

const statement = 'insert into agents.entity_owners (id, kind, company_id) values ($1, $2, $3)';
