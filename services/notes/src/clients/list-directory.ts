import type { CompanyId } from '@commonplace/contracts/core';
import { listColleaguesContract, type ListedColleague } from '@commonplace/contracts/internal';
import type { ServiceClient } from '@commonplace/http';

/** Lists the agents of a company by name, at most `limit`. */
export type ListDirectory = (
  companyId: CompanyId,
  limit: number,
) => Promise<{ readonly items: readonly ListedColleague[]; readonly hasMore: boolean }>;

/** Reads them from the agents service. */
export const createDirectory =
  (callAgents: ServiceClient): ListDirectory =>
  (companyId, limit) =>
    callAgents(listColleaguesContract, { companyId, limit });
