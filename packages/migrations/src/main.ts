import { migrateAll } from './migrate-all.ts';
import { readMigrationEnvironment } from './migration-environment.ts';

// The supervisor names the folder of the services; without an argument it is that of this repository.
const servicesDir = process.argv[2];
const options = readMigrationEnvironment();
try {
  await migrateAll({
    ...options,
    ...(servicesDir === undefined ? {} : { servicesDir }),
    log: console.log,
  });
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
