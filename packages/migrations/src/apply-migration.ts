import type { Knex } from 'knex';
import type { MigrationDatabase, MigrationSource } from './migration-source.ts';
import type { ServiceName } from './service-names.ts';

/** How statements of migrations run, as the owner of the schema. */
export type MigrationRunner = {
  readonly db: Knex;
  /** Commits all of the work, or nothing. */
  readonly inTransaction: (work: (trx: Knex) => Promise<void>) => Promise<void>;
  /** For migrations without a transaction. */
  readonly oneByOne: MigrationDatabase;
};

/** The row of the history. `batch` is the number of the run that applied it. */
type HistoryRow = { readonly name: string; readonly batch: number };

type PendingMigration = HistoryRow & {
  readonly service: ServiceName;
  readonly source: MigrationSource;
};

/**
 * Applies a migration and adds it to the history. Both commit together, so that one that is killed is either done or to
 * do: knex would add the row after the migration has committed, and one that was killed in between could not run again.
 * A migration without a transaction can be repeated.
 */
export const applyMigration = async (
  { inTransaction, oneByOne }: MigrationRunner,
  { service, source, name, batch }: PendingMigration,
): Promise<void> => {
  const { up, config } = await source.getMigration(name);
  const isAtomic = config?.transaction !== false;
  if (!isAtomic) {
    await up(oneByOne);
  }
  await inTransaction(async (trx) => {
    if (isAtomic) {
      await up(trx);
    }
    await insertHistoryRow(trx, service, { name, batch });
  });
};

const insertHistoryRow = async (
  trx: Knex,
  service: ServiceName,
  row: HistoryRow,
): Promise<void> => {
  await trx
    .withSchema(service)
    .into('knex_migrations')
    .insert({ ...row, migration_time: new Date() });
};
