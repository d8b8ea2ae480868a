import type { RunQuery } from '@commonplace/db';

/** Any transaction: for statements on global tables, which belong to no company. */
export type AnyTx = { readonly query: RunQuery };
