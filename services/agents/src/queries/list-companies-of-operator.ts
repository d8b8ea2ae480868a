import type { OperatorId } from '@commonplace/contracts/core';
import { companyColumns, type GrantedCompanyRow } from './company-row.ts';
import type { AnyTx } from './tx.ts';

/** The position of a company in lists: its name, then its id. */
export type CompanyPosition = readonly [name: string, id: string];

/** The companies an operator is a member of, by name: one more than `limit`, if there are. */
export const listCompaniesOfOperator = (
  tx: AnyTx,
  operatorId: OperatorId,
  page: { readonly after: CompanyPosition | null; readonly limit: number },
): Promise<GrantedCompanyRow[]> =>
  tx.query<GrantedCompanyRow>(statement, [
    operatorId,
    ...(page.after ?? [null, null]),
    page.limit + 1,
  ]);

const statement = `
  select ${companyColumns}, c.role from agents.companies_of_operator($1, $2, $3, $4) c`;
