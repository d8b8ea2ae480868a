import { listCompaniesContract } from '@commonplace/contracts/agents';
import { readInCompany, runGlobal, type Db } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { presentCompany } from '../present/companies.ts';
import {
  type CompanyRow,
  findCompany,
  listAllCompanies,
  listCompaniesOfOperator,
  type CompanyPosition,
} from '../queries/companies.ts';

const cursor = pageCursor('companies', z.tuple([z.string(), z.uuid()]));

export const listCompaniesRoute = (deps: Pick<Deps, 'db'>) =>
  defineRoute(listCompaniesContract, async ({ query, caller }) => {
    const rows = await companiesOf(deps.db, caller, {
      after: cursor.read(query),
      limit: query.limit,
    });
    const { items, nextCursor } = cursor.page(query, rows, (row) => [row.name, row.id]);
    return reply(200, { items: items.map(presentCompany), nextCursor });
  });

type Page = { readonly after: CompanyPosition | null; readonly limit: number };

/** An agent has one company, and an operator who named one sees that one. */
const companiesOf = async (
  db: Db,
  caller: AgentCaller | OperatorCaller,
  page: Page,
): Promise<CompanyRow[]> => {
  const only = caller.kind === 'agent' ? caller.companyId : caller.selectedCompanyId;
  if (only !== null) {
    const company = await readInCompany(db, only, findCompany);
    return company ? [company] : [];
  }
  const { operatorId, isLocal } = caller as OperatorCaller;
  return runGlobal(db, (tx) =>
    isLocal ? listAllCompanies(tx, page) : listCompaniesOfOperator(tx, operatorId, page),
  );
};
