import type { CompanyTx } from '@commonplace/db';
import { assertCompanyActive } from '../policy/assert-company-active.ts';
import type { LockStrength } from '../queries/lock-company.ts';
import type { CallerDoing } from './actor-of.ts';
import { beginChange, type Change } from './begin-change.ts';

/**
 * Begins a change of a company that must be active: it is, and stays so until the transaction ends.
 * What the caller's identity said of it may be a second old.
 */
export const openCompany = async (
  scope: CompanyTx,
  doing: CallerDoing,
  strength: LockStrength = 'share',
): Promise<Change> => {
  const change = await beginChange(scope, doing, strength);
  assertCompanyActive(change.company.status);
  return change;
};
