import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { companiesQuery } from '../api/company-queries.ts';
import { lastCompany } from './last-company.ts';

/** The company the frame shows: that of the address, else the one worked in last; null without any. */
export const useCurrentCompanyId = (): string | null => {
  const { data: companies } = useSuspenseQuery(companiesQuery);
  const { companyId } = useParams({ strict: false });
  if (companyId !== undefined) {
    return companyId;
  }
  const last = lastCompany.read();
  return (companies.find(({ id }) => id === last) ?? companies[0])?.id ?? null;
};
