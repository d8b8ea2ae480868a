import type { ProposalDeciders } from '@commonplace/contracts/agents';
import type {
  CompanyId,
  CompanyStatus,
  HeldGrants,
  OperatorId,
  Role,
} from '@commonplace/contracts/core';
import { stayOnNode, type CompanyTx, type GlobalTx } from '@commonplace/db';
import { memberGrants, memberRole } from './member-role.ts';
import { budgetSumMax } from './sums.ts';
import type { ChangeTx } from './tx.ts';

export type CompanyRow = {
  readonly id: CompanyId;
  readonly name: string;
  readonly status: CompanyStatus;
  readonly currency: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** A company with the limits of its budget (null: unlimited) and its settings. */
export type CompanyWithLimits = CompanyRow & {
  readonly proposalsDecidedBy: ProposalDeciders;
  readonly monthlyCents: number | null;
  readonly monthlyTokens: number | null;
};

/** A company with its spending in a month (`2026-11-01`). */
export type CompanyDetailRow = CompanyWithLimits & {
  readonly month: string;
  readonly spentCents: number;
  readonly reservedCents: number;
  readonly spentTokens: number;
};

/** A company with the role of an operator in it, and the notes that it reaches there; null: all. */
export type CompanyWithRole = CompanyRow & { readonly role: Role; readonly grants: HeldGrants };

/** The columns of `CompanyRow`; the table alias is `c`. */
const companyColumns =
  'c.company_id as id, c.name, c.status, c.currency, c.created_at as "createdAt", c.updated_at as "updatedAt"';

/** The columns of `CompanyWithLimits`. The functions that list companies have no limits. */
const columnsWithLimits = `${companyColumns}, c.monthly_cents as "monthlyCents", c.monthly_tokens as "monthlyTokens", c.proposals_decided_by as "proposalsDecidedBy"`;

/** Reads the company of the transaction with its spending in a month. */
export const findCompanyDetail = async (
  tx: CompanyTx,
  month: string,
): Promise<CompanyDetailRow | null> => {
  const values = [tx.companyId, month];
  const [row] = await tx.query<CompanyDetailRow>(
    findCompanyDetailSql,
    values,
    'agents.find-company-detail',
  );
  return row ?? null;
};

const findCompanyDetailSql = `
  select ${columnsWithLimits}, $2::date::text as month,
    least(coalesce(m.spent_cents, 0), ${budgetSumMax}) as "spentCents",
    least(coalesce(m.reserved_cents, 0), ${budgetSumMax}) as "reservedCents",
    least(coalesce(m.spent_tokens, 0), ${budgetSumMax}) as "spentTokens"
  from agents.companies c
  left join agents.company_months m on m.company_id = $1 and m.month = $2::date
  where c.company_id = $1`;

/** Who decides about proposals in the company of the transaction; null: there is no such company. */
export const findProposalDeciders = async (tx: CompanyTx): Promise<ProposalDeciders | null> => {
  const [row] = await tx.query<{ proposalsDecidedBy: ProposalDeciders }>(
    findProposalDecidersSql,
    [tx.companyId],
    'agents.find-proposal-deciders',
  );
  return row?.proposalsDecidedBy ?? null;
};

const findProposalDecidersSql = `
  select c.proposals_decided_by as "proposalsDecidedBy" from agents.companies c where c.company_id = $1`;

/** Reads the company of the transaction. */
export const findCompany = async (tx: CompanyTx): Promise<CompanyRow | null> => {
  const [row] = await tx.query<CompanyRow>(findCompanySql, [tx.companyId], 'agents.find-company');
  return row ?? null;
};

const findCompanySql = `select ${companyColumns} from agents.companies c where c.company_id = $1`;

/**
 * Reads the company of the transaction with the role of an operator in it; null: no role. The local board operator is an
 * owner of every company, with or without a membership.
 */
export const findCompanyWithRole = async (
  tx: CompanyTx,
  { operatorId, isLocal }: { readonly operatorId: OperatorId; readonly isLocal: boolean },
): Promise<CompanyWithAnyRole | null> => {
  const values = [tx.companyId, operatorId];
  const [row] = await tx.query<CompanyWithAnyRole>(findCompanyWithRoleSql, values);
  return row ? (isLocal ? asOwner(row) : row) : null;
};

/** A company of the local board operator. */
export const asOwner = <Row extends object>(row: Row) => ({
  ...row,
  role: 'owner' as const,
  grants: null,
});

type CompanyWithAnyRole = Omit<CompanyWithRole, 'role'> & {
  readonly role: Role | null;
  /** When the membership began; null: none. */
  readonly since: Date | null;
};

const findCompanyWithRoleSql = `
  select ${companyColumns}, ${memberRole} as role, ${memberGrants} as grants, m.since
  from agents.companies c
  left join agents.memberships m on m.company_id = $1 and m.operator_id = $2
  where c.company_id = $1`;

/**
 * `share`: the company cannot change until the transaction ends. `no key update`: in addition, no
 * other transaction can lock it; for rules that two concurrent requests could break together.
 */
export type LockStrength = 'share' | 'no key update';

/**
 * Reads and locks the company of the transaction. The lock order is company, agent, run, budget.
 */
export const lockCompany = async (
  tx: CompanyTx,
  strength: LockStrength,
): Promise<CompanyWithLimits | null> => {
  const [, [row]] = await Promise.all([
    stayOnNode(tx, 'agents.companies'),
    tx.query<CompanyWithLimits>(
      `${lockCompanySql} for ${strength}`,
      [tx.companyId],
      `agents.lock-company for ${strength}`,
    ),
  ]);
  return row ?? null;
};

const lockCompanySql = `select ${columnsWithLimits} from agents.companies c where c.company_id = $1`;

/** Inserts the company of the transaction. */
export const insertCompany = async (
  tx: ChangeTx,
  company: { readonly name: string; readonly at: Date },
): Promise<CompanyRow> => {
  const [row] = await tx.query<CompanyRow>(insertCompanySql, [
    tx.companyId,
    company.name,
    company.at,
  ]);
  return row as CompanyRow;
};

const insertCompanySql = `
  insert into agents.companies as c (company_id, name, status, created_at, updated_at)
  values ($1, $2, 'active', $3, $3)
  returning ${companyColumns}`;

/** Updates name, status, currency, limits and settings of the company of the transaction. */
export const updateCompanyRow = async (
  tx: ChangeTx,
  company: Omit<CompanyWithLimits, 'id' | 'createdAt' | 'updatedAt'> & { readonly at: Date },
): Promise<CompanyRow> => {
  const { name, status, currency, at, monthlyCents, monthlyTokens, proposalsDecidedBy } = company;
  const limits = [monthlyCents, monthlyTokens];
  const values = [tx.companyId, name, status, currency, at, ...limits, proposalsDecidedBy];
  const [row] = await tx.query<CompanyRow>(updateCompanyRowSql, values);
  return row as CompanyRow;
};

const updateCompanyRowSql = `
  update agents.companies c
  set name = $2, status = $3, currency = $4, updated_at = $5, monthly_cents = $6, monthly_tokens = $7,
    proposals_decided_by = $8
  where c.company_id = $1
  returning ${companyColumns}`;

/** Lists all companies by name, for the local board operator; returns up to `limit + 1` rows. */
export const listAllCompanies = (
  tx: GlobalTx,
  page: { readonly after: CompanyPosition | null; readonly limit: number },
): Promise<CompanyRow[]> =>
  tx.query<CompanyRow>(listAllCompaniesSql, [...(page.after ?? [null, null]), page.limit + 1]);

const listAllCompaniesSql = `select ${companyColumns} from agents.list_all_companies($1, $2, $3) c`;

/** The sort key of a company in lists. */
export type CompanyPosition = readonly [name: string, id: string];

/** Lists the companies of an operator by name; returns up to `limit + 1` rows. */
export const listCompaniesOfOperator = (
  tx: GlobalTx,
  operatorId: OperatorId,
  page: { readonly after: CompanyPosition | null; readonly limit: number },
): Promise<CompanyWithRole[]> =>
  tx.query<CompanyWithRole>(listCompaniesOfOperatorSql, [
    operatorId,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const listCompaniesOfOperatorSql = `
  select ${companyColumns}, c.role, c.grants from agents.list_companies_of_member($1, $2, $3, $4) c`;
