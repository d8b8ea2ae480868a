import type { CompanyTx } from '@commonplace/db';
import { memberColumns, type MemberRow } from './member-row.ts';

/** Reads the member who joined with this e-mail. */
export const findMemberByEmail = async (
  tx: CompanyTx,
  email: string,
): Promise<MemberRow | null> => {
  const [row] = await tx.query<MemberRow>(statement, [tx.companyId, email]);
  return row ?? null;
};

const statement = `
  select ${memberColumns} from agents.memberships where company_id = $1 and email = $2`;
