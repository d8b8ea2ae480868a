import type { CompanyId } from '@commonplace/contracts/core';
import { findProposalDecidersContract } from '@commonplace/contracts/internal';
import type { ServiceClient } from '@commonplace/http';

/** Who decides about proposals of a company, beside operators and owners. */
export type FindProposalDeciders = (companyId: CompanyId) => Promise<'operators' | 'agents'>;

/** Reads it from the agents service, which has the company. */
export const createDecidersLookup =
  (callAgents: ServiceClient): FindProposalDeciders =>
  async (companyId) =>
    (await callAgents(findProposalDecidersContract, { companyId })).proposalsDecidedBy;
