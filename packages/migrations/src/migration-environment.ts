import { parseEnv, postgresUrl } from '@commonplace/config';
import { z } from 'zod';
import type { MigrateOptions } from './migrate-all.ts';

/** A role's password: what an administrator would not choose is long enough. */
const rolePassword = z
  .string({ error: 'is required: the password of the role the service logs in as' })
  .min(16, 'must have 16 characters or more');

/** The database and the passwords from the environment; prints every problem and ends the process. */
export const readMigrationEnvironment = (): Pick<MigrateOptions, 'adminUrl' | 'passwords'> => {
  const env = parseEnv(
    z.object({
      DATABASE_URL: postgresUrl,
      AUTH_DATABASE_PASSWORD: rolePassword,
      AGENTS_DATABASE_PASSWORD: rolePassword,
      NOTES_DATABASE_PASSWORD: rolePassword,
    }),
  );
  return {
    adminUrl: env.DATABASE_URL,
    passwords: {
      auth: env.AUTH_DATABASE_PASSWORD,
      agents: env.AGENTS_DATABASE_PASSWORD,
      notes: env.NOTES_DATABASE_PASSWORD,
    },
  };
};
