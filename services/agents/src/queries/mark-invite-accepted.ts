import type { InviteId, OperatorId } from '@commonplace/contracts/core';
import type { ChangeTx } from './tx.ts';

/**
 * Says who accepted an invite. It stays findable by its token for that operator's sake, but is no
 * entity any more that could be withdrawn.
 */
export const markInviteAccepted = async (
  tx: ChangeTx,
  inviteId: InviteId,
  operatorId: OperatorId,
): Promise<void> => {
  await tx.query(statement, [tx.companyId, inviteId, operatorId]);
};

const statement = `
  with marked as (
    update agents.invites set accepted_by = $3 where company_id = $1 and id = $2
  )
  delete from agents.entity_owners where id = $2 and kind = 'invite'`;
