import { AppError } from '@commonplace/contracts/core';
import { getCompanyContract } from '@commonplace/contracts/agents';
import { lookUpInCompany } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../deps.ts';
import { presentCompany } from '../present/companies.ts';
import { findCompany } from '../queries/companies.ts';

export const getCompanyRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(getCompanyContract, async ({ company }) => {
    const row = await lookUpInCompany(db, company.id, findCompany);
    if (!row) {
      throw new AppError('not_found');
    }
    return reply(200, presentCompany(row));
  });
