import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { companiesQuery, companyQuery } from './company-queries.ts';
import { lastCompany } from './last-company.ts';
import { isForeignCompany } from './problems.ts';

/** The company in the address; only for pages below `/companies/$companyId`. */
export const useCompanyId = (): string => {
  const { companyId } = useParams({ strict: false });
  if (companyId === undefined) {
    throw new Error('There is no company in this address.');
  }
  return companyId;
};

/** Whether the operator is no member of the company in the address: not any more, or never was. */
export const useIsForeignCompany = (): boolean => {
  const { companyId } = useParams({ strict: false });
  // The pages of the company load it.
  const { error } = useQuery({ ...companyQuery(companyId ?? ''), enabled: false });
  return companyId !== undefined && isForeignCompany(error);
};

/** The company in the address, else the one opened last; null without any company. */
export const useCurrentCompanyId = (): string | null => {
  const { data: companies } = useSuspenseQuery(companiesQuery);
  const { companyId } = useParams({ strict: false });
  const isForeign = useIsForeignCompany();
  return (isForeign ? null : companyId) ?? lastCompany.in(companies)?.id ?? null;
};
