import { AppError, type CompanyStatus } from '@commonplace/contracts/core';

/** Nothing is written into an archived company (409). */
export const assertCompanyActive = (status: CompanyStatus): void => {
  if (status === 'archived') {
    throw new AppError('company_archived');
  }
};
