import { AppError, companyId, newId } from '@commonplace/contracts/core';
import { createCompanyContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { auditContextWithoutCompany } from '../commands/audit.ts';
import { createCompany } from '../commands/create-company.ts';
import { findOperatorCaller } from '../commands/find-caller.ts';
import type { Deps } from '../deps.ts';
import { presentCompany } from '../present/companies.ts';

/** Administrators are known to the auth service alone, so it is asked whether the caller is one still. */
export const createCompanyRoute = (deps: Pick<Deps, 'db' | 'clock' | 'checkOperator'>) =>
  defineRoute(createCompanyContract, async ({ body, caller }) => {
    const founder = await findOperatorCaller(deps, { ...caller, companyId: null });
    if (!founder) {
      throw new AppError('session_expired');
    }
    if (!founder.isAdmin) {
      throw new AppError('administrator_only');
    }
    const { db, clock } = deps;
    const founded = { name: body.name, founder: caller };
    const row = await withCompany(db, companyId.parse(newId()), (tx) =>
      createCompany(tx, founded, auditContextWithoutCompany(caller, clock)),
    );
    return reply(201, presentCompany(row));
  });
