import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import { repositoryServices } from './repository-services.ts';
import type { ServiceName } from './service-names.ts';

/** What a migration needs of knex: it runs one statement at a time. */
export type MigrationDatabase = {
  readonly raw: (statement: string) => PromiseLike<unknown>;
  readonly isTransaction?: boolean;
};

/** A migration that must not run in a transaction says so in `config`. */
type Migration = {
  readonly up: (db: MigrationDatabase) => PromiseLike<unknown>;
  readonly config?: { readonly transaction: boolean };
};

/** The migrations of a folder. Knex reads their names. */
export type MigrationSource = Omit<Knex.MigrationSource<string>, 'getMigration'> & {
  readonly names: readonly string[];
  readonly getMigration: (name: string) => Promise<Migration>;
};

/**
 * Lists the `NNNN_verb_object.ts` files of a folder; no folder means no migrations. The database
 * has their names without the extension. There is no way back: a new migration reverts an old one. `only` selects
 * migrations by name.
 */
export const createMigrationSource = async (
  directory: string,
  only?: readonly string[],
): Promise<MigrationSource> => {
  const all = await namesIn(directory);
  const names = only === undefined ? all : all.filter((name) => only.includes(name));
  return {
    names,
    getMigrations: () => Promise.resolve([...names]),
    getMigrationName: (name) => name,
    getMigration: async (name) => {
      const url = pathToFileURL(join(directory, `${name}.ts`)).href;
      return (await import(url)) as Migration;
    },
  };
};

/** The names of a service's migrations, in their order. */
export const namesOfMigrations = (
  service: ServiceName,
  servicesDir = repositoryServices,
): Promise<string[]> => namesIn(join(servicesDir, service, 'migrations'));

const namesIn = async (directory: string): Promise<string[]> => {
  const files = await readdir(directory).catch(() => [] as string[]);
  return files
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .toSorted();
};
