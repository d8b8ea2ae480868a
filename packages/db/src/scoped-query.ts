import type { Duplex } from 'node:stream';
import type { CompanyId } from '@commonplace/contracts/core';
import pg from 'pg';
import type { Db } from './create-db.ts';
import { corkWrites } from './cork-writes.ts';
import { statementFor, type Preparation, type RunQuery, type SqlValue } from './transaction.ts';

/**
 * Keeps the planner from sorting what an index has in order. It takes a company that has grown since the last
 * ANALYZE for empty, and of indexes that begin with the company any is good enough for it: it may then look
 * for one note by going through all. A statement that gives its rows in the order of an index shows it which.
 */
export const disableSort = `set_config('enable_sort', 'off', true)`;

/** Sets the scope of what follows, and that nothing is written; `with-company.ts` scopes what writes. */
const scopeText = `select set_config('app.company_id', $1, true), set_config('transaction_read_only', 'on', true)`;

/** The scopes of reading statements, and the connections that know them or are just being told. */
const scopes = {
  anyOrder: { name: 'read scope', text: scopeText, prepared: new WeakSet<pg.PoolClient>() },
  indexOrder: {
    name: 'read scope in index order',
    text: `${scopeText}, ${disableSort}`,
    prepared: new WeakSet<pg.PoolClient>(),
  },
} as const;

/** Whether a statement gives its rows in the order of an index. */
export type Scope = keyof typeof scopes;

/** What of the driver's connection is needed here; its types leave half of it out. */
type Wire = {
  readonly stream: Duplex;
  parse(message: { readonly text: string }): void;
  bind(message: { readonly statement?: string; readonly values: readonly unknown[] }): void;
  execute(message: object): void;
};

/** The driver's own query, with what it does with the messages of the server. */
type DriverQuery = new (config: object) => {
  submit(connection: Wire): Error | null;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
};

type Scoping = {
  readonly companyId: CompanyId;
  readonly scope: Scope;
  readonly isNamed: boolean;
};

/**
 * One statement confined to one company, with nothing but its scope beside it on the wire. All up to a
 * Sync is one implicit transaction: the two need no BEGIN and no COMMIT, travel together and are
 * answered once. As a transaction of four statements the same read took twice the messages.
 */
class ScopedQuery extends (pg.Query as unknown as DriverQuery) {
  readonly #scoping: Scoping;
  #isScoped = false;

  constructor(scoping: Scoping, config: object) {
    super(config);
    this.#scoping = scoping;
  }

  override submit(connection: Wire): Error | null {
    const { companyId, scope, isNamed } = this.#scoping;
    const { name, text } = scopes[scope];
    corkWrites(connection.stream);
    if (!isNamed) {
      connection.parse({ text });
    }
    connection.bind({ ...(isNamed ? { statement: name } : {}), values: [companyId] });
    connection.execute({});
    const error = super.submit(connection);
    if (error) {
      // The scope is on its way, and the Sync that would end it is not.
      connection.stream.destroy();
    }
    return error;
  }

  /** The first row is what setting the scope gives; its shape was not even asked for. */
  override handleDataRow(message: unknown): void {
    if (this.#isScoped) {
      super.handleDataRow(message);
    }
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.#isScoped) {
      super.handleCommandComplete(message, connection);
    }
    this.#isScoped = true;
  }
}

/** A statement, the company it reads in, and who is told of its end. */
export type ScopedStatement = {
  readonly companyId: CompanyId;
  readonly scope: Scope;
  readonly statement: Preparation;
  readonly callback: (error: Error | null, result: { readonly rows: object[] }) => void;
};

/** Sends a reading statement in the scope of a company. */
export const sendScoped = (
  db: Db,
  client: pg.PoolClient,
  { companyId, scope, statement, callback }: ScopedStatement,
): pg.Query => {
  const isNamed = db.hasNamedStatements;
  const { name, text, prepared } = scopes[scope];
  if (isNamed && !prepared.has(client)) {
    prepared.add(client);
    // What makes this fail makes the statement behind it fail as well, and that one is listened to.
    client.query({ name, text, values: [companyId] }).catch(() => prepared.delete(client));
  }
  const query = new ScopedQuery(
    { companyId, scope, isNamed },
    { ...statementFor(db, statement), queryMode: 'extended', callback },
  );
  return client.query(query as unknown as pg.Query);
};

/** Makes the function that runs reading statements on a connection, each in the scope of a company. */
export const scopedRunner =
  (
    db: Db,
    client: pg.PoolClient,
    reading: Pick<ScopedStatement, 'companyId' | 'scope'>,
  ): RunQuery =>
  <Row extends object>(text: string, values: readonly SqlValue[] = [], name?: string) =>
    new Promise<Row[]>((resolve, reject) => {
      sendScoped(db, client, {
        ...reading,
        statement: { text, values, name },
        callback: (error, result) => (error ? reject(error) : resolve(result.rows as Row[])),
      });
    });
