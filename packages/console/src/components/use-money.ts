import { useSuspenseQuery } from '@tanstack/react-query';
import { companyQuery } from '../api/company-queries.ts';
import { moneyOf, type Money } from './money.ts';
import { useCompanyId } from '../api/use-company-id.ts';

/** How the company of the address writes amounts. */
export const useMoney = (): Money =>
  moneyOf(useSuspenseQuery(companyQuery(useCompanyId())).data.currency);
