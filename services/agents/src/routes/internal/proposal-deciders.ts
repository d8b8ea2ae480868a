import { AppError } from '@commonplace/contracts/core';
import { findProposalDecidersContract } from '@commonplace/contracts/internal';
import { lookup } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import type { Deps } from '../../deps.ts';
import { findProposalDeciders } from '../../queries/companies.ts';

/** Reads who decides about proposals in a company, for the notes service. */
export const findProposalDecidersRoute = ({ lookups }: Pick<Deps, 'lookups'>) =>
  defineRoute(findProposalDecidersContract, async ({ body }) => {
    const proposalsDecidedBy = await lookup(lookups, body.companyId, findProposalDeciders);
    if (proposalsDecidedBy === null) {
      throw new AppError('not_found');
    }
    return reply(200, { proposalsDecidedBy });
  });
