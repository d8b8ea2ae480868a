import { parseEnv, postgresUrl } from '@commonplace/config';
import { z } from 'zod';
import { migrateAll } from './migrate-all.ts';

/** A role's password: what an administrator would not choose is long enough. */
const rolePassword = z
  .string({ error: 'is required: the password of the role the service logs in as' })
  .min(16, 'must have 16 characters or more');

const env = parseEnv(
  z.object({
    DATABASE_URL: postgresUrl,
    AUTH_DATABASE_PASSWORD: rolePassword,
    AGENTS_DATABASE_PASSWORD: rolePassword,
    NOTES_DATABASE_PASSWORD: rolePassword,
  }),
);

// The supervisor names the folder of the services; without an argument it is that of this repository.
const servicesDir = process.argv[2];
try {
  await migrateAll({
    adminUrl: env.DATABASE_URL,
    passwords: {
      auth: env.AUTH_DATABASE_PASSWORD,
      agents: env.AGENTS_DATABASE_PASSWORD,
      notes: env.NOTES_DATABASE_PASSWORD,
    },
    ...(servicesDir === undefined ? {} : { servicesDir }),
    log: console.log,
  });
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
