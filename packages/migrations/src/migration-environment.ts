import { postgresUrl, readConfig, withPassword, type Environment } from '@commonplace/config';
import { z } from 'zod';
import type { MigrateOptions } from './migrate-all.ts';

/** The password of a service's role; long enough that people do not choose it by hand. */
const rolePassword = z
  .string({ error: 'is required: the password of the role of the service' })
  .min(16, 'must have 16 characters or more');

const fields = z.object({
  DATABASE_URL: postgresUrl,
  DATABASE_PASSWORD: z.string().optional(),
  AUTH_DATABASE_PASSWORD: rolePassword,
  AGENTS_DATABASE_PASSWORD: rolePassword,
  NOTES_DATABASE_PASSWORD: rolePassword,
});

/** The database and the passwords from the environment. Throws a `ConfigError` with every problem. */
export const readMigrationEnvironment = (
  environment: Environment,
): Pick<MigrateOptions, 'adminUrl' | 'passwords'> => {
  const env = readConfig(fields, environment);
  return {
    adminUrl: withPassword(env.DATABASE_URL, env.DATABASE_PASSWORD),
    passwords: {
      auth: env.AUTH_DATABASE_PASSWORD,
      agents: env.AGENTS_DATABASE_PASSWORD,
      notes: env.NOTES_DATABASE_PASSWORD,
    },
  };
};
