import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';
import { repositoryServices } from './repository-services.ts';
import type { ServiceName } from './service-names.ts';

/** The migrations of a folder, for knex. */
export type MigrationSource = Knex.MigrationSource<string> & { readonly names: readonly string[] };

/**
 * Lists the `NNNN_verb_object.ts` files of a folder; no folder means no migrations. The database
 * has their names without the extension. `down` always throws: a new migration reverts an old one. `only` selects
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
      const { up, config } = (await import(url)) as MigrationModule;
      return { up, down: refuseDown, ...(config ? { config } : {}) };
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

/** A migration that must not run in a transaction says so in `config`. */
type MigrationModule = Pick<Knex.Migration, 'up'> & {
  readonly config?: { readonly transaction: boolean };
};

const refuseDown = (): never => {
  throw new Error('Migrations go forward only: write a new one that changes things back.');
};
