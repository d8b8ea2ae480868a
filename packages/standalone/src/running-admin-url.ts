import { join } from 'node:path';
import { readIfPresent } from './data-directory.ts';
import { embeddedUrl } from './embedded-url.ts';
import { hasStaleLock } from './lock-data-directory.ts';

/** The superuser's URL of the embedded PostgreSQL of a running supervisor; null if there is none. */
export const runningAdminUrl = async (dataDir: string): Promise<string | null> => {
  const [at, password] = await Promise.all([
    embeddedUrl(dataDir),
    readIfPresent(join(dataDir, 'postgres', 'postgres-password')),
  ]);
  if (at === null || password === null || (await hasStaleLock(dataDir))) {
    return null;
  }
  const url = new URL(at);
  url.username = 'postgres';
  url.password = encodeURIComponent(password.trim());
  return url.href;
};
