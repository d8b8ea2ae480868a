import {
  listCompaniesContract,
  createCompanyContract,
  getCompanyContract,
  updateCompanyContract,
} from '@commonplace/contracts/agents';
import { lookup, read, write, type CompanyTx, type Db } from '@commonplace/db';
import { defineRoute, pageCursor, reply } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { budgetMonth } from '../policy/runs.ts';
import { presentCompany, presentCompanyDetail } from '../present/companies.ts';
import {
  type CompanyRow,
  findCompany,
  findCompanyDetail,
  type CompanyDetailRow,
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

/** Lists companies by name: those the caller belongs to, or the one it selected. */
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
    const company = await read(db, only, findCompany);
    return company ? [company] : [];
  }
  const { operatorId, isLocal } = caller as OperatorCaller;
  return read(db, 'global', (tx) =>
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
    const audit = auditContextWithoutCompany(caller, clock);
    const row = await write(db, companyId.parse(newId()), async (tx) => {
      await createCompany(tx, input, audit);
      return readCompany(tx, audit.at);
    });
    return reply(201, presentCompanyDetail(row));
  });

/** Reads the company of a transaction with its budget of the current month, or throws 404. */
const readCompany = async (tx: CompanyTx, now: Date): Promise<CompanyDetailRow> => {
  const row = await findCompanyDetail(tx, budgetMonth(now));
  if (!row) {
    throw new AppError('not_found');
  }
  return row;
};

/** Reads a company, with its budget of this month. */
export const getCompanyRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(getCompanyContract, async ({ company }) => {
    const row = await lookup(db, company.id, (tx) => readCompany(tx, clock()));
    return reply(200, presentCompanyDetail(row));
  });

/** Changes a company. Archiving it cancels its runs: the first before the response, the rest in the background. */
export const updateCompanyRoute = (deps: Pick<Deps, 'db' | 'clock' | 'log'>) =>
  defineRoute(updateCompanyContract, async (request) => {
    const { body, company } = request;
    const audit = auditContextOf(request, deps.clock);
    const row = await write(deps.db, company.id, async (tx) => {
      await updateCompany(tx, body, audit);
      return readCompany(tx, audit.at);
    });
    if (row.status === 'archived') {
      await cancelFirstRuns(deps, company.id, 'status');
    }
    return reply(200, presentCompanyDetail(row));
  });
