import { runGlobal, type GlobalTx } from './with-global.ts';
import type { Db } from './create-db.ts';
import { RefusedStartError } from './refuse-start.ts';

/** What the code of a service was written against. */
export type SchemaNeeds = {
  readonly service: 'auth' | 'agents' | 'notes';
  /** Its newest migration when this code was made. */
  readonly newest: string;
};

/**
 * Makes the check that a service passes before it is ready: the schema has come as far as the code needs,
 * and has not gone further in a way that breaks it. A schema that is newer is fine, because an upgrade
 * migrates first and replaces the processes after; a migration after which older code cannot work has a
 * name that ends in `_breaking`. What was found good is not asked again.
 */
export const schemaCheck = (db: Db, needs: SchemaNeeds): (() => Promise<void>) => {
  let isGood = false;
  return async () => {
    if (!isGood) {
      assertFits(needs, await runGlobal(db, (tx) => listMigrations(tx, needs.service)));
      isGood = true;
    }
  };
};

const assertFits = ({ service, newest }: SchemaNeeds, names: readonly string[]): void => {
  if (!names.includes(newest)) {
    throw new RefusedStartError(
      `The schema ${service} is older than this code: ${newest} was not run. Run pnpm migrate (docker-compose up migrate) first.`,
    );
  }
  const breaking = names.find((name) => name > newest && name.endsWith('_breaking'));
  if (breaking !== undefined) {
    throw new RefusedStartError(
      `The schema ${service} is newer than this code can work on: ${breaking} was run. Start the release that brought it.`,
    );
  }
};

/** Every migration that was run, by name; none where there is no schema yet. */
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
