import { type CompanyId, type OperatorId, localOperatorId } from '@commonplace/contracts/core';
import {
  listMembershipsContract,
  transferLocalMembershipsContract,
} from '@commonplace/contracts/internal';
import { read, write, type Db } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { presentMemberships } from '../../present/companies.ts';
import {
  asOwner,
  type CompanyWithRole,
  findCompanyWithRole,
  listAllCompanies,
  listCompaniesOfOperator,
} from '../../queries/companies.ts';
import { transferCompany } from '../../commands/transfer-company.ts';

/** Lists the companies of an operator. For background jobs it must still be active at the auth service. */
export const listMembershipsRoute = ({
  lookups: db,
  checkOperator,
}: Pick<Deps, 'lookups' | 'checkOperator'>) =>
  defineRoute(listMembershipsContract, async ({ body, caller }) => {
    // The notes service calls this for background jobs, which outlive the session of their operator.
    const hasSession = caller.service !== 'notes' || body.isLocal;
    const operator = hasSession ? null : await checkOperator({ operatorId: body.operatorId });
    if (operator?.isActive === false) {
      return reply(200, { memberships: [], isComplete: true });
    }
    const one = body.companyId === undefined ? null : await oneOf(db, body, body.companyId);
    const rows = one ?? (await allOf(db, body));
    const since = one?.[0]?.since;
    return reply(200, {
      ...presentMemberships(rows.slice(0, body.limit)),
      isComplete: rows.length <= body.limit,
      ...(operator?.accessEpoch === undefined ? {} : { accessEpoch: operator.accessEpoch }),
      ...(since ? { memberSince: since.toISOString() } : {}),
    });
  });

type MembershipsQuery = {
  readonly operatorId: OperatorId;
  readonly isLocal: boolean;
  readonly limit: number;
};

/** The local board operator is an owner of every company, with or without a membership. */
const allOf = (
  db: Db,
  { operatorId, isLocal, limit }: MembershipsQuery,
): Promise<CompanyWithRole[]> =>
  read(db, 'global', async (tx) => {
    const page = { after: null, limit };
    if (isLocal) {
      return (await listAllCompanies(tx, page)).map(asOwner);
    }
    return listCompaniesOfOperator(tx, operatorId, page);
  });

const oneOf = async (
  db: Db,
  operator: MembershipsQuery,
  companyId: CompanyId,
): Promise<(CompanyWithRole & { readonly since: Date | null })[]> => {
  const row = await read(db, companyId, (tx) => findCompanyWithRole(tx, operator));
  return row?.role ? [{ ...row, role: row.role }] : [];
};

const companiesMax = 200;

/**
 * Transfers each company in a transaction of its own. Transferred companies no longer match the
 * query.
 */
export const transferLocalMembershipsRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(transferLocalMembershipsContract, async ({ body: { operator } }) => {
    const newOwner = { operatorId: operator.id, email: operator.email, name: operator.name };
    const page = { after: null, limit: companiesMax };
    const nextCompanies = () =>
      read(db, 'global', (tx) => listCompaniesOfOperator(tx, localOperatorId, page));
    let adopted = 0;
    for (let rows = await nextCompanies(); rows.length > 0; rows = await nextCompanies()) {
      for (const { id } of rows) {
        adopted += Number(await write(db, id, (tx) => transferCompany(tx, newOwner, clock())));
      }
    }
    return reply(200, { adopted });
  });
