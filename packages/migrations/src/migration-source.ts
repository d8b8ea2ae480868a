import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';

/** The migrations of a folder, for knex. */
export type MigrationSource = Knex.MigrationSource<string> & { readonly names: readonly string[] };

/**
 * Lists the `NNNN_verb_object.ts` files of a folder; no folder means no migrations. They are named in
 * the database without their ending. The way back is a new migration: `down` always throws.
 */
export const createMigrationSource = async (directory: string): Promise<MigrationSource> => {
  const files = await readdir(directory).catch(() => [] as string[]);
  const names = files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted();
  return {
    names,
    getMigrations: () => Promise.resolve([...names]),
    getMigrationName: (name) => name,
    getMigration: async (name) => {
      const url = pathToFileURL(join(directory, `${name}.ts`)).href;
      const { up } = (await import(url)) as Pick<Knex.Migration, 'up'>;
      return { up, down: refuseDown };
    },
  };
};

const refuseDown = (): never => {
  throw new Error('Migrations go forward only: write a new one that changes things back.');
};
