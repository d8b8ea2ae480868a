import { join } from 'node:path';
import pg from 'pg';
import { applyRoles } from './apply-roles.ts';
import { distributeCitusTables } from './distribute-citus-tables.ts';
import { createMigrationSource } from './migration-source.ts';
import { readHistory } from './read-history.ts';
import { repositoryServices } from './repository-services.ts';
import { serviceNames } from './service-names.ts';
import type { RolePasswords } from './service-names.ts';

/** What a migration needs to know. */
export type MigrateOptions = {
  /** Connection URL of a role that may create roles, and schemas in the database it names. */
  readonly adminUrl: string;
  readonly passwords: RolePasswords;
  /** Where the services' folders are; default: those of this repository. */
  readonly servicesDir?: string;
  readonly log?: (line: string) => void;
  /** The migrations to run, by service; default: all. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
};

/**
 * Brings a database to the newest state: roles and schemas, then every service's migrations that it
 * does not have yet, then, on Citus, the distribution of new tables. May be run again, and by any number
 * of processes at once: they take turns.
 */
export const migrateAll = async (options: MigrateOptions): Promise<void> => {
  const { adminUrl, passwords, servicesDir = repositoryServices, log = () => undefined } = options;
  const client = new pg.Client({ connectionString: adminUrl });
  client.on('error', (error) =>
    log(`The connection holding the migration lock broke: ${error.message}`),
  );
  await client.connect();
  try {
    await client.query(acquireLock, [lockKey]);
    await applyRoles(client, passwords);
    const history = await readHistory(client);
    for (const service of serviceNames) {
      const directory = join(servicesDir, service, 'migrations');
      const source = await createMigrationSource(directory, options.only?.[service]);
      assertCompatible(service, source.names, history[service]);
      if (source.names.every((name) => history[service].includes(name))) {
        continue;
      }
      // Knex takes a fifth of a second to load, and most starts have nothing for it to do.
      const { migrateService } = await import('./migrate-service.ts');
      const names = await migrateService({ adminUrl, service, source, log });
      names.forEach((name) => log(`Applied ${service}/${name}`));
    }
    await distributeCitusTables({ client, log });
  } finally {
    await client.end();
  }
};

/**
 * A database that a newer release has migrated is fine for this one, so that an upgrade can be rolled back,
 * unless one of the unknown migrations is named `…_breaking`: older code cannot work on its result.
 */
const assertCompatible = (
  service: string,
  known: readonly string[],
  history: readonly string[],
): void => {
  const breaking = history.find((name) => !known.includes(name) && name.endsWith('_breaking'));
  if (breaking !== undefined) {
    throw new Error(
      `The schema ${service} is newer than this release can work on: ${breaking} was run. Start the release that brought it, or restore a backup with this one.`,
    );
  }
};

/** Any number will do, as long as nobody else in the database uses it. */
export const lockKey = 7_263_001;

/** Waits until no other process migrates this database. PostgreSQL frees the lock with the session. */
const acquireLock = 'select pg_advisory_lock($1)';
