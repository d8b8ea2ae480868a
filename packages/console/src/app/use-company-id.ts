import { useParams } from '@tanstack/react-router';

/** The company of the address: of everything below `/companies/$companyId`. */
export const useCompanyId = (): string => {
  const { companyId } = useParams({ strict: false });
  if (companyId === undefined) {
    throw new Error('There is no company in this address.');
  }
  return companyId;
};
