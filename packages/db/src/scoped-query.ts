import pg from 'pg';

/** How the scope is set is known here and in `with-company.ts` alone; the policies read it back. */
const scope = {
  name: 'read scope',
  text: `select set_config('app.company_id', $1, true), set_config('transaction_read_only', 'on', true)`,
} as const;

type Statement = {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Absent where statements keep no names. */
  readonly name?: string;
};

/** What of the driver's connection is needed here: its types leave half of it out. */
type Wire = {
  readonly stream: { cork(): void; uncork(): void; destroy(): void };
  parse(message: { readonly text: string }): void;
  bind(message: { readonly statement?: string; readonly values: readonly unknown[] }): void;
  execute(message: object): void;
};

/** The driver's own query, with what it does with messages and its types do not tell. */
type Driver = new (config: object) => pg.Query & {
  submit(connection: unknown): Error | null;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: unknown): void;
};

/**
 * One statement confined to one company, with nothing but itself on the wire. Everything up to a Sync
 * is one implicit transaction, so the setting of the scope and the statement travel together, need no
 * BEGIN and no COMMIT, and are answered once: half the messages of a transaction of four statements.
 */
class ScopedQuery extends (pg.Query as unknown as Driver) {
  readonly #companyId: string;
  #isScoped = false;

  constructor(companyId: string, config: object) {
    super(config);
    this.#companyId = companyId;
  }

  override submit(connection: Wire): Error | null {
    connection.stream.cork();
    connection.bind({ statement: scope.name, values: [this.#companyId] });
    connection.execute({});
    const error = super.submit(connection);
    if (error) {
      // The scope is on its way, and no Sync will follow.
      connection.stream.destroy();
    }
    connection.stream.uncork();
    return error;
  }

  /** The first row is that of the scope, of which nobody asked what it looks like. */
  override handleDataRow(message: unknown): void {
    if (this.#isScoped) {
      super.handleDataRow(message);
    }
  }

  override handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.#isScoped) {
      super.handleCommandComplete(message, connection);
    }
    this.#isScoped = true;
  }
}

/** Connections that know the statement that sets the scope, or are just being told. */
const prepared = new WeakSet<pg.PoolClient>();

/** Runs one reading statement in the scope of a company. */
export const runScoped = <Row extends object>(
  client: pg.PoolClient,
  companyId: string,
  { text, values, name }: Statement,
): Promise<Row[]> =>
  new Promise((resolve, reject) => {
    if (!prepared.has(client)) {
      prepared.add(client);
      // Its failure is that of the connection, and reaches the caller through the statement itself.
      client.query({ ...scope, values: [companyId] }).catch(() => prepared.delete(client));
    }
    const callback = (error: Error | null, result: { readonly rows: Row[] }) =>
      error ? reject(error) : resolve(result.rows);
    const config = { text, values: [...values], name, queryMode: 'extended', callback };
    client.query(new ScopedQuery(companyId, config));
  });
