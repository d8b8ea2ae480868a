import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { companiesQuery } from './company-queries.ts';
import { lastCompany } from './last-company.ts';

/** The company in the address; only for pages below `/companies/$companyId`. */
export const useCompanyId = (): string => {
  const { companyId } = useParams({ strict: false });
  if (companyId === undefined) {
    throw new Error('There is no company in this address.');
  }
  return companyId;
};

/** The company in the address, else the one opened last; null without any company. */
export const useCurrentCompanyId = (): string | null => {
  const { data: companies } = useSuspenseQuery(companiesQuery);
  const { companyId } = useParams({ strict: false });
  return companyId ?? lastCompany.in(companies)?.id ?? null;
};
