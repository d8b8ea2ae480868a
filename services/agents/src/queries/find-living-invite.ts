import type { InviteId } from '@commonplace/contracts';
import type { CompanyTx } from '@commonplace/db';
import { inviteColumns, type InviteRow } from './invite-row.ts';

/** Reads an invite that has not expired. */
export const findLivingInvite = async (
  tx: CompanyTx,
  inviteId: InviteId,
  now: Date,
): Promise<InviteRow | null> => {
  const [row] = await tx.query<InviteRow>(statement, [tx.companyId, inviteId, now]);
  return row ?? null;
};

const statement = `
  select ${inviteColumns} from agents.invites
  where company_id = $1 and id = $2 and expires_at > $3`;
