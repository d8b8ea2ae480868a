import { read, type Db, type GlobalTx } from '@commonplace/db';
import { assertCitusIsSet } from './assert-citus-is-set.ts';
import { RefusedStartError } from './refuse-start.ts';

/** The schema that the code of a service needs. */
export type SchemaNeeds = {
  readonly service: 'auth' | 'agents' | 'notes';
  /** The newest migration that this code needs. */
  readonly newest: string;
};

/**
 * Creates the check that a service passes before it is ready: the schema has every migration that the code needs, and
 * no newer one that breaks it. A newer schema is fine, because an upgrade migrates first and replaces the processes
 * after. The name of a migration that breaks older code ends in `_breaking`. On Citus the service must know that it is
 * there. A passed check is not repeated.
 */
export const schemaCheck = (db: Db, needs: SchemaNeeds): (() => Promise<void>) => {
  let hasPassed = false;
  return async () => {
    if (!hasPassed) {
      assertFits(needs, await read(db, 'global', (tx) => listMigrations(tx, needs.service)));
      await assertCitusIsSet(db, needs.service);
      hasPassed = true;
    }
  };
};

/** The newest migration that has run for a service; null: none. */
export const newestMigration = async (
  db: Db,
  service: SchemaNeeds['service'],
): Promise<string | null> =>
  (await read(db, 'global', (tx) => listMigrations(tx, service))).toSorted().at(-1) ?? null;

const assertFits = ({ service, newest }: SchemaNeeds, names: readonly string[]): void => {
  if (!names.includes(newest)) {
    throw new RefusedStartError(
      `The schema ${service} is older than this code: ${newest} has not run. Run pnpm migrate (docker-compose up migrate) first.`,
    );
  }
  const breaking = names.find((name) => name > newest && name.endsWith('_breaking'));
  if (breaking !== undefined) {
    throw new RefusedStartError(
      `The schema ${service} is newer than this code supports: ${breaking} has run. Start the release that contains it.`,
    );
  }
};

/** The names of the migrations that have run; none when the schema does not exist. */
const listMigrations = async (
  tx: GlobalTx,
  service: SchemaNeeds['service'],
): Promise<readonly string[]> => {
  try {
    const rows = await tx.query<{ name: string }>(`select name from ${service}.knex_migrations`);
    return rows.map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) {
      return [];
    }
    throw error;
  }
};

/** undefined_table, invalid_schema_name. */
const isMissing = (error: unknown): boolean =>
  ['42P01', '3F000'].includes((error as { code?: string }).code ?? '');
