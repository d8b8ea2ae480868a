import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@commonplace/embedded-postgres';
import pg from 'pg';
import { dumpSchema } from './dump-schema.ts';
import { migrateAll } from './migrate-all.ts';
import { repositoryServices } from './repository-services.ts';
import { serviceNames } from './service-names.ts';

/** Writes `services/<service>/schema.sql` from a database of its own that all migrations went through. */
const dataDir = await mkdtemp(join(tmpdir(), 'commonplace-schema-'));
const postgres = await startPostgres({ dataDir, fsync: false });
const client = new pg.Client({ connectionString: postgres.url });
try {
  const password = 'nobody-logs-in-here';
  const passwords = { auth: password, agents: password, notes: password };
  await migrateAll({ adminUrl: postgres.url, passwords });
  await client.connect();
  for (const service of serviceNames) {
    const path = join(repositoryServices, service, 'schema.sql');
    await writeFile(path, await dumpSchema(client, service));
  }
} finally {
  await client.end();
  await postgres.stop();
  await rm(dataDir, { recursive: true });
}
