import type { CompanyTx } from '@commonplace/db';
import { inviteColumns, isByOwner, type InviteRow } from './invite-row.ts';

/** The invites that can still be accepted, those of former owners left out, newest first: one more than `limit`, if there are. */
export const listInvites = (
  tx: CompanyTx,
  now: Date,
  page: { readonly after: readonly [createdAt: string, id: string] | null; readonly limit: number },
): Promise<InviteRow[]> =>
  tx.query<InviteRow>(statement, [
    tx.companyId,
    now,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const statement = `
  select ${inviteColumns}
  from agents.invites
  where company_id = $1 and expires_at > $2 and accepted_by is null and ${isByOwner}
    and ($3::timestamptz is null or (created_at, id) < ($3, $4::uuid))
  order by created_at desc, id desc
  limit $5`;
