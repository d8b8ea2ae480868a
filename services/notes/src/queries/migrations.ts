import type { GlobalTx } from '@commonplace/db';

/** When a migration ran. */
export type MigrationRun = {
  /** Among the first of its database, so that no release without it has worked there. */
  readonly isFirst: boolean;
  readonly at: Date;
};

/** When a migration ran; null: it has not. */
export const findMigration = async (tx: GlobalTx, name: string): Promise<MigrationRun | null> => {
  const [row] = await tx.query<MigrationRun>(
    `select m.batch = 1 as "isFirst", m.migration_time as at
     from notes.knex_migrations m where m.name = $1`,
    [name],
  );
  return row ?? null;
};
