import type { MemberRow } from './member-row.ts';
import type { ChangeTx } from './tx.ts';

/** Makes an operator a member; one who is a member already only gets the role. */
export const insertMembership = async (tx: ChangeTx, member: MemberRow): Promise<void> => {
  const { operatorId, email, name, role, since } = member;
  await tx.query(statement, [tx.companyId, operatorId, email, name, role, since]);
};

const statement = `
  insert into agents.memberships (company_id, operator_id, email, name, role, since)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (company_id, operator_id) do update set role = excluded.role`;
