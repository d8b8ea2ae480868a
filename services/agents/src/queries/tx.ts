import type { CompanyTx, RunQuery } from '@commonplace/db';

/** Any transaction: for statements on global tables, which belong to no company. */
export type AnyTx = { readonly query: RunQuery };

declare const mayChange: unique symbol;

/**
 * A transaction that may change its company. Every statement that writes takes one, and
 * `commands/begin-change.ts` alone makes them: a command that does not check the caller's authority
 * again under the lock does not compile.
 */
export type ChangeTx = CompanyTx & { readonly [mayChange]: true };
