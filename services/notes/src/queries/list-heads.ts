import type { CompanyId } from '@commonplace/contracts/core';
import type { GlobalTx } from '@commonplace/db';

export type HeadRow = { readonly companyId: CompanyId; readonly head: number };

/** Where the feeds of these companies stand; a company that nobody wrote to is left out. */
export const listHeads = (tx: GlobalTx, ids: readonly CompanyId[]): Promise<HeadRow[]> =>
  tx.query<HeadRow>(
    'select h.company_id as "companyId", h.head from notes.heads_of($1::uuid[]) h',
    [ids],
  );
