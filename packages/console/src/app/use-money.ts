import { useSuspenseQuery } from '@tanstack/react-query';
import { companyQuery } from '../api/company-queries.ts';
import { moneyOf, type Money } from '../components/money.ts';
import { useCompanyId } from './use-company-id.ts';

/** How the company of the address writes amounts. */
export const useMoney = (): Money =>
  moneyOf(useSuspenseQuery(companyQuery(useCompanyId())).data.currency);
