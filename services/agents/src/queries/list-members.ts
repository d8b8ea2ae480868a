import type { CompanyTx } from '@commonplace/db';
import { memberColumns, type MemberRow } from './member-row.ts';

/** The members of the company by name, then id: one more than `limit`, if there are. */
export const listMembers = (
  tx: CompanyTx,
  page: { readonly after: readonly [name: string, id: string] | null; readonly limit: number },
): Promise<MemberRow[]> =>
  tx.query<MemberRow>(statement, [tx.companyId, ...(page.after ?? [null, null]), page.limit + 1]);

const statement = `
  select ${memberColumns}
  from agents.memberships
  where company_id = $1 and ($2::text is null or (name, operator_id) > ($2, $3::uuid))
  order by name, operator_id
  limit $4`;
