import type { CompanyId, OperatorId } from '@commonplace/contracts/core';
import { listMembershipsContract, type Membership } from '@commonplace/contracts/internal';
import { readInCompany, runGlobal, type Db } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { presentMembership } from '../../present/companies.ts';
import {
  findCompanyWithRole,
  listAllCompanies,
  listCompaniesOfOperator,
} from '../../queries/companies.ts';

export const listMembershipsRoute = ({ db, checkOperator }: Pick<Deps, 'db' | 'checkOperator'>) =>
  defineRoute(listMembershipsContract, async ({ body, caller }) => {
    // No session vouches for an operator whose work goes on by itself.
    const isVouched = caller.service !== 'notes' || body.isLocal;
    if (!isVouched && !(await checkOperator({ operatorId: body.operatorId })).isActive) {
      return reply(200, { memberships: [], isComplete: true });
    }
    const memberships =
      body.companyId === undefined ? await allOf(db, body) : await oneOf(db, body, body.companyId);
    return reply(200, {
      memberships: memberships.slice(0, body.limit),
      isComplete: memberships.length <= body.limit,
    });
  });

type Asked = {
  readonly operatorId: OperatorId;
  readonly isLocal: boolean;
  readonly limit: number;
};

/** The local board operator owns every company, whether or not it made it. */
const allOf = (db: Db, { operatorId, isLocal, limit }: Asked): Promise<Membership[]> =>
  runGlobal(db, async (tx) => {
    const page = { after: null, limit };
    if (isLocal) {
      return (await listAllCompanies(tx, page)).map((row) => presentMembership(row, 'owner'));
    }
    const rows = await listCompaniesOfOperator(tx, operatorId, page);
    return rows.map((row) => presentMembership(row, row.role));
  });

const oneOf = async (
  db: Db,
  { operatorId, isLocal }: Asked,
  companyId: CompanyId,
): Promise<Membership[]> => {
  const row = await readInCompany(db, companyId, (tx) => findCompanyWithRole(tx, operatorId));
  const role = isLocal ? 'owner' : row?.role;
  return row && role ? [presentMembership(row, role)] : [];
};
