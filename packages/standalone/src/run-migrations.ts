import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Secrets } from './load-secrets.ts';

type MigrationRun = {
  readonly adminUrl: string;
  readonly secrets: Secrets;
  readonly servicesDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
  /** Ends the process; PostgreSQL rolls back the migration under way. */
  readonly signal: AbortSignal | undefined;
};

const main = fileURLToPath(import.meta.resolve('@commonplace/migrations/main'));

/**
 * Migrates the database as `pnpm migrate` does, in a separate process, so that the memory of knex and its driver is
 * released.
 */
export const runMigrations = (options: MigrationRun): Promise<void> => {
  const { adminUrl, secrets, servicesDir, log, signal } = options;
  const child = spawn(process.execPath, [main, servicesDir], {
    env: {
      ...options.env,
      DATABASE_URL: adminUrl,
      AUTH_DATABASE_PASSWORD: secrets.AUTH_DATABASE_PASSWORD,
      AGENTS_DATABASE_PASSWORD: secrets.AGENTS_DATABASE_PASSWORD,
      NOTES_DATABASE_PASSWORD: secrets.NOTES_DATABASE_PASSWORD,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal ? { signal } : {}),
  });
  createInterface({ input: child.stdout }).on('line', log);
  let problem = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) {
        resolve();
        return;
      }
      const how = signal ?? `exit code ${code}`;
      reject(new Error(`The database could not be migrated (${how}):\n${problem.trim()}`));
    });
  });
};
