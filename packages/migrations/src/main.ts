import { migrateAll } from './migrate-all.ts';
import { readMigrationEnvironment } from './migration-environment.ts';

// The supervisor's process for migrations. Without an argument the services are those of this repository.
const servicesDir = process.argv[2];
try {
  await migrateAll({
    ...readMigrationEnvironment(process.env),
    ...(servicesDir === undefined ? {} : { servicesDir }),
    log: console.log,
  });
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
