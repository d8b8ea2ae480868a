import { updateCompany } from '@commonplace/contracts/agents';
import { withCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { doingOf } from '../commands/actor-of.ts';
import { changeCompany } from '../commands/change-company.ts';
import type { Deps } from '../deps.ts';
import { presentCompany } from '../present/present-company.ts';

export const updateCompanyRoute = ({ db, clock }: Pick<Deps, 'db' | 'clock'>) =>
  defineRoute(updateCompany, async ({ body, caller, company }) => {
    const row = await withCompany(db, company.id, (tx) =>
      changeCompany(tx, body, doingOf(caller, clock)),
    );
    return reply(200, presentCompany(row));
  });
