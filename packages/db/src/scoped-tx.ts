import type { Reach } from '@commonplace/contracts/core';
import type { RunQuery, SqlValue } from './transaction.ts';

declare const companyScoped: unique symbol;
declare const globalScoped: unique symbol;

/**
 * What row-level security confines to one company and, where its reach has folders, to part of the notes. Queries of
 * tenant tables take one, and only `lookup`, `read` and `write` make one: a query cannot be run unscoped.
 */
export type CompanyTx = Reach & {
  readonly query: RunQuery;
  readonly [companyScoped]: true;
};

/** As `CompanyTx`, for one statement whose rows are streamed; only `stream` makes one. */
export type CompanyStream = Reach & {
  readonly query: <Row extends object>(
    text: string,
    values: readonly SqlValue[],
    name: string,
  ) => AsyncIterable<Row[]>;
  readonly [companyScoped]: true;
};

/**
 * What is outside any company: sees the few global tables (directory, lookups by digest, id → company) and, by row-level
 * security, no row of a tenant table.
 */
export type GlobalTx = { readonly query: RunQuery; readonly [globalScoped]: true };
