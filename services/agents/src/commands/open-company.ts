import { AppError } from '@commonplace/contracts/core';
import type { CompanyTx } from '@commonplace/db';
import { assertCompanyActive } from '../policy/assert-company-active.ts';
import type { CompanyRow } from '../queries/company-row.ts';
import { lockCompany, type LockStrength } from '../queries/lock-company.ts';

/**
 * Begins every change: the company is there, active, and stays so until the transaction ends. What
 * the caller's identity said of it may be a second old.
 */
export const openCompany = async (
  tx: CompanyTx,
  strength: LockStrength = 'share',
): Promise<CompanyRow> => {
  const company = await lockCompany(tx, strength);
  if (!company) {
    throw new AppError('not_found');
  }
  assertCompanyActive(company.status);
  return company;
};
