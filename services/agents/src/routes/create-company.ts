import { AppError, companyId, newId } from '@commonplace/contracts/core';
import { createCompanyContract } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { founding } from '../commands/actor-of.ts';
import { addCompany } from '../commands/add-company.ts';
import type { Deps } from '../deps.ts';
import { presentCompany } from '../present/present-company.ts';

/** Administrators are known to the auth service alone, so it is asked whether the caller is one still. */
export const createCompanyRoute = ({
  db,
  clock,
  isAdministrator,
}: Pick<Deps, 'db' | 'clock' | 'isAdministrator'>) =>
  defineRoute(createCompanyContract, async ({ body, caller }) => {
    if (!caller.isLocal && !(await isAdministrator(caller.operatorId))) {
      throw new AppError('administrator_only');
    }
    const founded = { name: body.name, founder: caller };
    const row = await withCompany(db, companyId.parse(newId()), (tx) =>
      addCompany(tx, founded, founding(caller, clock)),
    );
    return reply(201, presentCompany(row));
  });
