import {
  listCompaniesContract,
  createCompanyContract,
  getCompanyContract,
  updateCompanyContract,
} from '@commonplace/contracts/agents';
import { readInCompany, runGlobal, type Db, withCompany, lookupInCompany } from '@commonplace/db';
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
import { AppError, companyId, newId } from '@commonplace/contracts/core';
import { auditContextWithoutCompany, auditContextOf } from '../commands/audit.ts';
import { createCompany } from '../commands/create-company.ts';
import { findOperatorCaller } from '../commands/caller-lookups.ts';
import { updateCompany } from '../commands/update-company.ts';
import { cancelFirstRuns } from '../commands/finish-cancellations.ts';

const companiesCursor = pageCursor('companies', z.tuple([z.string(), z.uuid()]));

export const listCompaniesRoute = (deps: Pick<Deps, 'db'>) =>
  defineRoute(listCompaniesContract, async ({ query, caller }) => {
    const rows = await companiesOf(deps.db, caller, {
      after: companiesCursor.read(query),
      limit: query.limit,
    });
    const { items, nextCursor } = companiesCursor.page(query, rows, (row) => [row.name, row.id]);
    return reply(200, { items: items.map(presentCompany), nextCursor });
  });

type Page = { readonly after: CompanyPosition | null; readonly limit: number };

/**
 * Agents and operators who selected a company see that company; other operators see all of theirs.
 */
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

/** Only the auth service knows who is an administrator, so the route looks it up again. */
export const createCompanyRoute = (
  deps: Pick<Deps, 'db' | 'lookups' | 'clock' | 'mode' | 'checkOperator'>,
) =>
  defineRoute(createCompanyContract, async ({ body, caller }) => {
    const founder = await findOperatorCaller(deps, { ...caller, companyId: null });
    if (!founder) {
      throw new AppError('session_expired');
    }
    if (!founder.isAdmin) {
      throw new AppError('administrator_only');
    }
    const { db, clock } = deps;
    const input = { name: body.name, owner: caller };
    const row = await withCompany(db, companyId.parse(newId()), (tx) =>
      createCompany(tx, input, auditContextWithoutCompany(caller, clock)),
    );
    return reply(201, presentCompany(row));
  });

export const getCompanyRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getCompanyContract, async ({ company }) => {
    const row = await lookupInCompany(db, company.id, findCompany);
    if (!row) {
      throw new AppError('not_found');
    }
    return reply(200, presentCompany(row));
  });

export const updateCompanyRoute = (deps: Pick<Deps, 'db' | 'clock' | 'log'>) =>
  defineRoute(updateCompanyContract, async (request) => {
    const { body, company } = request;
    const row = await withCompany(deps.db, company.id, (tx) =>
      updateCompany(tx, body, auditContextOf(request, deps.clock)),
    );
    if (row.status === 'archived') {
      await cancelFirstRuns(deps, company.id, 'status');
    }
    return reply(200, presentCompany(row));
  });
