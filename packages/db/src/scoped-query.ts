import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Db } from './create-db.ts';
import { corkWrites } from './cork-writes.ts';
import { scopeStatement, type Scope, type ScopeStatement } from './scope.ts';
import { statementFor, type Preparation, type RunQuery, type SqlValue } from './transaction.ts';

/** The names of the statements of scopes that a connection has prepared or is preparing. */
const preparedOn = new WeakMap<pg.PoolClient, Set<string>>();

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

type Setting = { readonly scope: ScopeStatement; readonly isNamed: boolean };

/**
 * One statement in the scope of one company. Everything up to a Sync message is one implicit transaction, so the
 * scope and the statement need no BEGIN and COMMIT, and take one round trip. As a transaction of four statements,
 * the same read takes twice the messages.
 */
class ScopedQuery extends (pg.Query as unknown as DriverQuery) {
  readonly #setting: Setting;
  #isScoped = false;

  constructor(setting: Setting, config: object) {
    super(config);
    this.#setting = setting;
  }

  override submit(connection: Wire): Error | null {
    const { scope, isNamed } = this.#setting;
    const { name, text, values } = scope;
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
  readonly scope: Scope;
  readonly statement: Preparation;
  readonly callback: (error: Error | null, result: { readonly rows: object[] }) => void;
};

/** Sends a reading statement in the scope of a company. */
export const sendScoped = (
  db: Db,
  client: pg.PoolClient,
  { scope, statement, callback }: ScopedStatement,
): pg.Query => {
  const isNamed = db.hasNamedStatements;
  const setting = scopeStatement('read', scope);
  if (isNamed) {
    prepareOnce(client, setting);
  }
  const query = new ScopedQuery(
    { scope: setting, isNamed },
    { ...statementFor(db, statement), queryMode: 'extended', callback },
  );
  return client.query(query as unknown as pg.Query);
};

const prepareOnce = (client: pg.PoolClient, { name, text, values }: ScopeStatement): void => {
  const prepared = preparedOn.get(client) ?? new Set();
  if (!prepared.has(name)) {
    preparedOn.set(client, prepared.add(name));
    // If this fails, the statement behind it fails as well and reports it.
    client.query({ name, text, values: [...values] }).catch(() => prepared.delete(name));
  }
};

/** Returns the function that runs reading statements on a connection, each in the scope of a company. */
export const scopedRunner =
  (db: Db, client: pg.PoolClient, scope: Scope): RunQuery =>
  <Row extends object>(text: string, values: readonly SqlValue[] = [], name?: string) =>
    new Promise<Row[]>((resolve, reject) => {
      sendScoped(db, client, {
        scope,
        statement: { text, values, name },
        callback: (error, result) => (error ? reject(error) : resolve(result.rows as Row[])),
      });
    });
