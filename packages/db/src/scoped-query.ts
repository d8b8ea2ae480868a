import type { Duplex } from 'node:stream';
import type { CompanyId } from '@commonplace/contracts/core';
import pg from 'pg';
import type { Db } from './create-db.ts';
import { sendTogether } from './send-together.ts';
import { statementFor, type Preparation, type RunQuery, type SqlValue } from './transaction.ts';

/** Sets the scope of what follows, and that nothing is written; `with-company.ts` scopes what writes. */
const scope = {
  name: 'read scope',
  text: `select set_config('app.company_id', $1, true), set_config('transaction_read_only', 'on', true)`,
} as const;

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

type Scoping = { readonly companyId: CompanyId; readonly isNamed: boolean };

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
    const { companyId, isNamed } = this.#scoping;
    sendTogether(connection.stream);
    if (!isNamed) {
      connection.parse({ text: scope.text });
    }
    connection.bind({ ...(isNamed ? { statement: scope.name } : {}), values: [companyId] });
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

/** Connections that know the statement that sets the scope, or are just being told. */
const prepared = new WeakSet<pg.PoolClient>();

/** A statement, the company it reads in, and who is told of its end. */
export type Sending = {
  readonly companyId: CompanyId;
  readonly statement: Preparation;
  readonly callback: (error: Error | null, result: { readonly rows: object[] }) => void;
};

/** Sends a reading statement in the scope of a company. */
export const sendScoped = (
  db: Db,
  client: pg.PoolClient,
  { companyId, statement, callback }: Sending,
): pg.Query => {
  const isNamed = db.hasNamedStatements;
  if (isNamed && !prepared.has(client)) {
    prepared.add(client);
    // What makes this fail makes the statement behind it fail as well, and that one is listened to.
    client.query({ ...scope, values: [companyId] }).catch(() => prepared.delete(client));
  }
  const query = new ScopedQuery(
    { companyId, isNamed },
    { ...statementFor(db, statement), queryMode: 'extended', callback },
  );
  return client.query(query as unknown as pg.Query);
};

/** Makes the function that runs reading statements on a connection, each in the scope of a company. */
export const scopedRunner =
  (db: Db, client: pg.PoolClient, companyId: CompanyId): RunQuery =>
  <Row extends object>(text: string, values: readonly SqlValue[] = [], name?: string) =>
    new Promise<Row[]>((resolve, reject) => {
      sendScoped(db, client, {
        companyId,
        statement: { text, values, name },
        callback: (error, result) => (error ? reject(error) : resolve(result.rows as Row[])),
      });
    });
