import type { HeldGrants, OperatorId, Role } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { jsonOfGrants } from './grants.ts';
import { memberGrants, memberRole, storedRole } from './member-role.ts';
import type { ChangeTx } from './tx.ts';

export type MemberRow = {
  readonly operatorId: OperatorId;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** The notes that a viewer reaches; null: all, as other roles do. */
  readonly grants: HeldGrants;
  readonly since: Date;
};

/** The columns of `MemberRow`; the table alias is `m`. */
const memberColumns = `
  m.operator_id as "operatorId", m.email, m.name, ${memberRole} as role,
  ${memberGrants} as grants, m.since`;

/** Reads a member of the company. */
export const findMember = async (
  tx: CompanyTx,
  operatorId: OperatorId,
): Promise<MemberRow | null> => {
  const [row] = await tx.query<MemberRow>(findMemberSql, [tx.companyId, operatorId]);
  return row ?? null;
};

const findMemberSql = `
  select ${memberColumns} from agents.memberships m
  where m.company_id = $1 and m.operator_id = $2`;

/** Reads the member who joined with this email. */
export const findMemberByEmail = async (
  tx: CompanyTx,
  email: string,
): Promise<MemberRow | null> => {
  const [row] = await tx.query<MemberRow>(findMemberByEmailSql, [tx.companyId, email]);
  return row ?? null;
};

const findMemberByEmailSql = `
  select ${memberColumns} from agents.memberships m where m.company_id = $1 and m.email = $2`;

/** Reads a member and locks its role until the transaction ends. Lock the company first. */
export const lockMember = async (
  tx: CompanyTx,
  operatorId: OperatorId,
): Promise<MemberRow | null> => {
  const [row] = await tx.query<MemberRow>(lockMemberSql, [tx.companyId, operatorId]);
  return row ?? null;
};

const lockMemberSql = `
  select ${memberColumns} from agents.memberships m
  where m.company_id = $1 and m.operator_id = $2
  for share`;

/** Lists the members of the company by name, then id, perhaps those whose name or email has a text; returns up to `limit + 1` rows. */
export const listMembers = (
  tx: CompanyTx,
  q: string | undefined,
  page: { readonly after: readonly [name: string, id: string] | null; readonly limit: number },
): Promise<MemberRow[]> =>
  tx.query<MemberRow>(listMembersSql, [
    tx.companyId,
    ...(page.after ?? [null, null]),
    page.limit + 1,
    q ?? null,
  ]);

const listMembersSql = `
  select ${memberColumns}
  from agents.memberships m
  where m.company_id = $1 and ($2::text is null or (m.name, m.operator_id) > ($2, $3::uuid))
    and ($5::text is null
      or strpos(lower(m.name), lower($5)) > 0
      or strpos(lower(m.email), lower($5)) > 0)
  order by m.name, m.operator_id
  limit $4`;

/** Lists the first owners of the company by id. */
export const listOwnerIds = async (tx: CompanyTx, limit: number): Promise<OperatorId[]> => {
  const rows = await tx.query<Pick<MemberRow, 'operatorId'>>(listOwnerIdsSql, [
    tx.companyId,
    limit,
  ]);
  return rows.map(({ operatorId }) => operatorId);
};

const listOwnerIdsSql = `
  select operator_id as "operatorId"
  from agents.memberships
  where company_id = $1 and role = 'owner'
  order by operator_id
  limit $2`;

/** Counts the owners of the company other than this operator and some more. Lock the company first. */
export const countOtherOwners = async (
  tx: CompanyTx,
  {
    operatorId,
    except,
  }: { readonly operatorId: OperatorId; readonly except: readonly OperatorId[] },
): Promise<number> => {
  const [row] = await tx.query<{ owners: number }>(countOtherOwnersSql, [
    tx.companyId,
    operatorId,
    [...except],
  ]);
  return row?.owners ?? 0;
};

const countOtherOwnersSql = `
  select count(*)::integer as owners
  from agents.memberships
  where company_id = $1 and operator_id <> $2 and role = 'owner' and operator_id <> all ($3::uuid[])`;

/** Adds an operator to the company, who reaches all notes; a member only gets a higher role. */
export const insertMembership = async (
  tx: ChangeTx,
  member: Omit<MemberRow, 'grants'>,
): Promise<void> => {
  const { operatorId, email, name, role, since } = member;
  await tx.query(insertMembershipSql, [tx.companyId, operatorId, email, name, role, since]);
};

// Citus writes a simple CASE wrongly into the statement of a node.
const insertMembershipSql = `
  insert into agents.memberships as m (company_id, operator_id, email, name, role, since)
  values ($1, $2, $3, $4, $5, $6)
  on conflict (company_id, operator_id) do update
    set role = case when excluded.role = 'viewer' then m.role else excluded.role end`;

/** Changes the role and the grants of a member. */
export const updateMemberRow = async (
  tx: ChangeTx,
  { operatorId, role, grants }: Pick<MemberRow, 'operatorId' | 'role' | 'grants'>,
): Promise<void> => {
  const values = [tx.companyId, operatorId, storedRole(role, grants), jsonOfGrants(grants)];
  await tx.query(updateMemberSql, values);
};

const updateMemberSql = `
  update agents.memberships set role = $3, grants = $4 where company_id = $1 and operator_id = $2`;

/** Removes a member. */
export const deleteMembership = async (tx: ChangeTx, operatorId: OperatorId): Promise<void> => {
  await tx.query(deleteMembershipSql, [tx.companyId, operatorId]);
};

const deleteMembershipSql =
  'delete from agents.memberships where company_id = $1 and operator_id = $2';
