import { companyId, newId } from '@commonplace/contracts/core';
import { createCompany } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { addCompany } from '../commands/add-company.ts';
import type { Deps } from '../deps.ts';
import { presentCompany } from '../present/present-company.ts';

export const createCompanyRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(createCompany, async ({ body, caller }) => {
    const founded = { name: body.name, founder: caller };
    const row = await withCompany(db, companyId.parse(newId()), (tx) =>
      addCompany(tx, founded, doingOf(caller, clock)),
    );
    return reply(201, presentCompany(row));
  });
