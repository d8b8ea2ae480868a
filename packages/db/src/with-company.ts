import type { CompanyId, Reach } from '@commonplace/contracts/core';
import pg from 'pg';
import { inSpan } from '@commonplace/tracing';
import { coalesced } from './coalesced-reads.ts';
import { jsonTypes } from './json-type-parsers.ts';
import type { Db } from './create-db.ts';
import { onConnection, streamOnConnection } from './on-connection.ts';
import { scopedRowStream } from './scoped-row-stream.ts';
import { foldersSetting, reachOf, type Reachable } from './reach.ts';
import { scopedRunner, disableSort, setFolders, type Scope } from './scoped-query.ts';
import { onMultiplexedConnection } from './multiplexed-connections.ts';
import {
  databaseSpan,
  inTransaction,
  type Preparation,
  type RunQuery,
  type SqlValue,
} from './transaction.ts';

declare const companyScoped: unique symbol;

/**
 * A transaction that row-level security confines to one company, and where its reach has folders to part of the notes. Queries of tenant tables take one,
 * and `withCompany` is the only function that makes one: a query cannot be run unscoped.
 */
export type CompanyTx = Reach & {
  /** Citus refuses a statement that writes two tables. */
  readonly isCitus: boolean;
  readonly query: RunQuery;
  readonly [companyScoped]: true;
};

/**
 * Sets the scope of a transaction; `scoped-query.ts` sets it for single statements. The policies read it with
 * `current_setting`. A Citus coordinator propagates only SET LOCAL to its workers; there, all scopes are in any
 * order.
 */
const scopeTo = ({ isCitus }: Db, { companyId, folders }: Reach, scope: Scope): Preparation => {
  if (isCitus) {
    return { text: `set local app.company_id = '${asLiteral(companyId)}'`, values: [] };
  }
  return folders === null
    ? { ...scopes[scope], values: [companyId] }
    : { ...scopesOfFolders[scope], values: [companyId, foldersSetting(folders)] };
};

const scopeText = "select set_config('app.company_id', $1, true)";
const scopes = {
  anyOrder: { name: 'scope', text: scopeText },
  indexOrder: { name: 'scope in index order', text: `${scopeText}, ${disableSort}` },
} as const;
const scopesOfFolders = {
  anyOrder: { name: 'scope of folders', text: `${scopeText}, ${setFolders}` },
  indexOrder: {
    name: 'scope of folders in index order',
    text: `${scopeText}, ${setFolders}, ${disableSort}`,
  },
} as const;

/** SET takes no parameters. Ids are parsed before; this checks again, because the id becomes SQL. */
const asLiteral = (companyId: CompanyId): string => {
  if (!/^[0-9a-f-]{36}$/.test(companyId)) {
    throw new Error('A company id is a UUID');
  }
  return companyId;
};

/** Runs `work` in one transaction that sees only what `of` reaches. It may run again after a deadlock. */
export const withCompany = async <Result>(
  db: Db,
  of: Reachable,
  work: (tx: CompanyTx) => Promise<Result>,
): Promise<Result> => transact(db, { reach: reachOf(of), scope: 'anyOrder' }, work);

/** As `withCompany`, for statements in the order of an index. */
export const withCompanyInIndexOrder = async <Result>(
  db: Db,
  of: Reachable,
  work: (tx: CompanyTx) => Promise<Result>,
): Promise<Result> => transact(db, { reach: reachOf(of), scope: 'indexOrder' }, work);

/** Switches a transaction to index order from here on. */
export const switchToIndexOrder = (tx: CompanyTx): Promise<unknown> =>
  tx.query(`select ${disableSort}`, [], 'switch to index order');

const transact = <Result>(
  db: Db,
  { reach, scope }: Scoping,
  work: (tx: CompanyTx) => Promise<Result>,
): Promise<Result> =>
  inTransaction(db, scopeTo(db, reach, scope), async (query) => {
    if (db.isCitus && reach.folders !== null) {
      const folders = pg.escapeLiteral(foldersSetting(reach.folders));
      await query(`set local app.folders = ${folders}`);
    }
    return work({ ...reach, isCitus: db.isCitus, query } as CompanyTx);
  });

type Scoping = { readonly reach: Reach; readonly scope: Scope };

/**
 * Reads in the scope of what `of` reaches, without a transaction of several statements: each statement sets its own scope
 * (see `scoped-query.ts`), so row-level security costs about 25 µs.
 */
export const readInCompany = <Result>(
  db: Db,
  of: Reachable,
  read: (tx: CompanyTx) => Promise<Result>,
): Promise<Result> => readIn(db, { reach: reachOf(of), scope: 'anyOrder' }, read);

/** As `readInCompany`, for statements in the order of an index. */
export const readInIndexOrder = <Result>(
  db: Db,
  of: Reachable,
  read: (tx: CompanyTx) => Promise<Result>,
): Promise<Result> => readIn(db, { reach: reachOf(of), scope: 'indexOrder' }, read);

const readIn = async <Result>(
  db: Db,
  reading: Scoping,
  read: (tx: CompanyTx) => Promise<Result>,
): Promise<Result> => {
  const { reach } = reading;
  if (db.isCitus) {
    return withCompany(db, reach, read);
  }
  const run = () =>
    onConnection(db.pool, (client) =>
      read({ ...reach, isCitus: false, query: scopedRunner(db, client, reading) } as CompanyTx),
    );
  return inSpan('read', run, databaseSpan);
};

/** As `CompanyTx`, for one statement whose rows are streamed. */
export type CompanyStream = Reach & {
  readonly query: <Row extends object>(
    text: string,
    values: readonly SqlValue[],
    name: string,
  ) => AsyncIterable<Row[]>;
  readonly [companyScoped]: true;
};

/**
 * As `readInIndexOrder`, for a statement with many rows: streams them in batches, as they arrive. They become JSON
 * again, so timestamps and JSON columns are text (see `json-type-parsers.ts`).
 */
export async function* streamInCompany<Row extends object>(
  defaults: Db,
  of: Reachable,
  read: ReadStream<Row>,
): AsyncGenerator<Row[], void> {
  const db = { ...defaults, types: jsonTypes };
  const reach = reachOf(of);
  if (db.isCitus) {
    yield* await withCompany(db, reach, (tx) => bufferedParts(tx, read));
    return;
  }
  yield* streamOnConnection(db.pool, (client) => {
    const query: CompanyStream['query'] = (text, values, name) =>
      scopedRowStream(db, client, {
        reach,
        scope: 'indexOrder',
        statement: { text, values, name },
      });
    return read({ ...reach, query } as CompanyStream);
  });
}

type ReadStream<Row> = (tx: CompanyStream) => AsyncIterable<Row[]>;

/** Buffers all parts, because a transaction may run again. */
const bufferedParts = async <Row extends object>(
  { companyId, folders, query: run }: CompanyTx,
  read: ReadStream<Row>,
): Promise<Row[][]> => {
  const query: CompanyStream['query'] = async function* (text, values, name) {
    yield await run(text, values, name);
  };
  const parts: Row[][] = [];
  for await (const part of read({ companyId, folders, query } as CompanyStream)) {
    parts.push(part);
  }
  return parts;
};

/**
 * As `readInIndexOrder`, on a connection that is multiplexed with other lookups. For lookups by key only, because
 * the statements behind it wait. Equal concurrent statements are coalesced (see `coalesced-reads.ts`).
 */
export const lookupInCompany = async <Result>(
  db: Db,
  of: Reachable,
  read: (tx: CompanyTx) => Promise<Result>,
): Promise<Result> => {
  const reach = reachOf(of);
  const { companyId, folders } = reach;
  if (db.isCitus) {
    return withCompany(db, reach, read);
  }
  const run: RunQuery = (...statement) =>
    onMultiplexedConnection(db.pool, (client) =>
      scopedRunner(db, client, { reach, scope: 'indexOrder' })(...statement),
    );
  const key = folders === null ? companyId : `${companyId} ${foldersSetting(folders)}`;
  const query = coalesced(db, key, run);
  return inSpan(
    'lookup',
    () => read({ ...reach, isCitus: false, query } as CompanyTx),
    databaseSpan,
  );
};
