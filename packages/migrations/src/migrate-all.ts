import { join } from 'node:path';
import pg from 'pg';
import { applyRoles } from './apply-roles.ts';
import { distributeCitusTables } from './distribute-citus-tables.ts';
import { acquireMigrationLock } from './migration-lock.ts';
import { createMigrationSource } from './migration-source.ts';
import { readHistory } from './read-history.ts';
import { repositoryServices } from './repository-services.ts';
import { serviceNames } from './service-names.ts';
import type { RolePasswords } from './service-names.ts';
import { lockBounds } from './with-bounded-locks.ts';
import type { LockBounds } from './with-bounded-locks.ts';

/** Options of a migration. */
export type MigrateOptions = {
  /** Connection URL of a role that may create roles, and schemas in the database it names. */
  readonly adminUrl: string;
  readonly passwords: RolePasswords;
  /** Where the services' folders are; default: those of this repository. */
  readonly servicesDir?: string;
  readonly log?: (line: string) => void;
  /** The migrations to run, by service; default: all. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  readonly bounds?: LockBounds;
};

/**
 * Migrates a database: creates roles and schemas, runs the missing migrations of every service, and distributes
 * new tables on Citus. It can be repeated, and run by several processes at once, of which one works at a time.
 */
export const migrateAll = async (options: MigrateOptions): Promise<void> => {
  const { adminUrl, passwords, servicesDir = repositoryServices, log = () => undefined } = options;
  const { only, bounds = lockBounds } = options;
  const client = new pg.Client({ connectionString: adminUrl });
  client.on('error', (error) =>
    log(`The connection holding the migration lock broke: ${error.message}`),
  );
  await client.connect();
  try {
    await acquireMigrationLock(client, 'alone', log);
    await applyRoles(client, passwords);
    const history = await readHistory(client);
    for (const service of serviceNames) {
      const directory = join(servicesDir, service, 'migrations');
      const source = await createMigrationSource(directory, only?.[service]);
      assertCompatible(service, source.names, history[service]);
      if (source.names.every((name) => history[service].includes(name))) {
        continue;
      }
      // Loading knex takes 0.2 s, and most starts have no migrations to run.
      const { migrateService } = await import('./migrate-service.ts');
      const names = await migrateService({
        adminUrl,
        observer: client,
        service,
        source,
        bounds,
        log,
      });
      log(describeApplied(service, names));
    }
    await distributeCitusTables({ client, log });
  } finally {
    await client.end();
  }
};

/** One line: a new database gets every migration of the service. */
const describeApplied = (service: string, names: readonly string[]): string =>
  names.length > 2
    ? `Applied ${names.length} migrations of ${service}, ${names[0]} to ${names.at(-1)}`
    : `Applied ${names.map((name) => `${service}/${name}`).join(', ')}`;

/**
 * This release accepts a database that a newer release has migrated, so that an upgrade can be rolled back, unless
 * one of the unknown migrations is named `…_breaking`: older code cannot use its result.
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
