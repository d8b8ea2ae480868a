import { companyColumns, type CompanyRow } from './company-row.ts';
import type { CompanyPosition } from './list-companies-of-operator.ts';
import type { AnyTx } from './tx.ts';

/** Every company, by name, for the local board operator: one more than `limit`, if there are. */
export const listAllCompanies = (
  tx: AnyTx,
  page: { readonly after: CompanyPosition | null; readonly limit: number },
): Promise<CompanyRow[]> =>
  tx.query<CompanyRow>(statement, [...(page.after ?? [null, null]), page.limit + 1]);

const statement = `select ${companyColumns} from agents.all_companies($1, $2, $3) c`;
