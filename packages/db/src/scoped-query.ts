import type { Duplex } from 'node:stream';
import type { Reach } from '@commonplace/contracts/core';
import pg from 'pg';
import type { Db } from './create-db.ts';
import { corkWrites } from './cork-writes.ts';
import { foldersSetting } from './reach.ts';
import { statementFor, type Preparation, type RunQuery, type SqlValue } from './transaction.ts';

/**
 * Makes the planner use the index whose order a statement has. A company that has grown since the last ANALYZE
 * looks empty to the planner, so that any index beginning with the company looks equally good, and a lookup of
 * one note may scan all of them. Without sorts, only the index with the order of the statement remains.
 */
export const disableSort = `set_config('enable_sort', 'off', true)`;

/** Sets a read-only scope for the following statement; `with-company.ts` scopes writing transactions. */
const scopeText = `select set_config('app.company_id', $1, true), set_config('transaction_read_only', 'on', true)`;

/** As `disableSort`, for part of the notes: the second parameter of the statements that set such a scope. */
export const setFolders = `set_config('app.folders', $2, true)`;

type ReadScope = {
  readonly name: string;
  readonly text: string;
  readonly prepared: WeakSet<pg.PoolClient>;
};

/** The scopes of reading statements, and the connections that have prepared them or are preparing them. */
const scopes = {
  anyOrder: { name: 'read scope', text: scopeText, prepared: new WeakSet<pg.PoolClient>() },
  indexOrder: {
    name: 'read scope in index order',
    text: `${scopeText}, ${disableSort}`,
    prepared: new WeakSet<pg.PoolClient>(),
  },
} satisfies Record<string, ReadScope>;

/** The same scopes, for part of the notes of a company. */
const scopesOfFolders: typeof scopes = {
  anyOrder: {
    name: 'read scope of folders',
    text: `${scopeText}, ${setFolders}`,
    prepared: new WeakSet<pg.PoolClient>(),
  },
  indexOrder: {
    name: 'read scope of folders in index order',
    text: `${scopeText}, ${setFolders}, ${disableSort}`,
    prepared: new WeakSet<pg.PoolClient>(),
  },
};

/** Whether the rows of a statement have the order of an index. */
export type Scope = keyof typeof scopes;

/** The statement that sets a scope, and its parameters. */
const settingOf = ({ companyId, folders }: Reach, scope: Scope) =>
  folders === null
    ? { ...scopes[scope], values: [companyId] }
    : { ...scopesOfFolders[scope], values: [companyId, foldersSetting(folders)] };

/** The used parts of the driver's connection; its types omit half of them. */
type Wire = {
  readonly stream: Duplex;
  parse(message: { readonly text: string }): void;
  bind(message: { readonly statement?: string; readonly values: readonly unknown[] }): void;
  execute(message: object): void;
};

/** The query of the driver, with its handlers of server messages. */
type DriverQuery = new (config: object) => {
  submit(connection: Wire): Error | null;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: Wire): void;
};

type Scoping = {
  readonly reach: Reach;
  readonly scope: Scope;
  readonly isNamed: boolean;
};

/**
 * One statement in the scope of one company. Everything up to a Sync message is one implicit transaction, so the
 * scope and the statement need no BEGIN and COMMIT, and take one round trip. As a transaction of four statements,
 * the same read takes twice the messages.
 */
class ScopedQuery extends (pg.Query as unknown as DriverQuery) {
  readonly #scoping: Scoping;
  #isScoped = false;

  constructor(scoping: Scoping, config: object) {
    super(config);
    this.#scoping = scoping;
  }

  override submit(connection: Wire): Error | null {
    const { reach, scope, isNamed } = this.#scoping;
    const { name, text, values } = settingOf(reach, scope);
    corkWrites(connection.stream);
    if (!isNamed) {
      connection.parse({ text });
    }
    connection.bind({ ...(isNamed ? { statement: name } : {}), values });
    connection.execute({});
    const error = super.submit(connection);
    if (error) {
      // The scope was sent without the Sync that would end it.
      connection.stream.destroy();
    }
    return error;
  }

  /** The first row is the result of setting the scope, without a description. */
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

/** A statement, what it sees, and the callback for its result. */
export type ScopedStatement = {
  readonly reach: Reach;
  readonly scope: Scope;
  readonly statement: Preparation;
  readonly callback: (error: Error | null, result: { readonly rows: object[] }) => void;
};

/** Sends a reading statement in the scope of a company. */
export const sendScoped = (
  db: Db,
  client: pg.PoolClient,
  { reach, scope, statement, callback }: ScopedStatement,
): pg.Query => {
  const isNamed = db.hasNamedStatements;
  const { name, text, prepared, values } = settingOf(reach, scope);
  if (isNamed && !prepared.has(client)) {
    prepared.add(client);
    // If this fails, the statement behind it fails as well and reports it.
    client.query({ name, text, values }).catch(() => prepared.delete(client));
  }
  const query = new ScopedQuery(
    { reach, scope, isNamed },
    { ...statementFor(db, statement), queryMode: 'extended', callback },
  );
  return client.query(query as unknown as pg.Query);
};

/** Returns the function that runs reading statements on a connection, each in the scope of a company. */
export const scopedRunner =
  (db: Db, client: pg.PoolClient, reading: Pick<ScopedStatement, 'reach' | 'scope'>): RunQuery =>
  <Row extends object>(text: string, values: readonly SqlValue[] = [], name?: string) =>
    new Promise<Row[]>((resolve, reject) => {
      sendScoped(db, client, {
        ...reading,
        statement: { text, values, name },
        callback: (error, result) => (error ? reject(error) : resolve(result.rows as Row[])),
      });
    });
