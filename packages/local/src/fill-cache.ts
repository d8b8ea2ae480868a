import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { serviceNames } from './service-names.ts';

type FillOptions = {
  readonly servicesDir: string;
  readonly env: Readonly<Record<string, string>>;
};

const main = fileURLToPath(import.meta.resolve('./warm-cache.ts'));

/**
 * Fills the compile cache, while the database is being made and a processor has nothing to do. Resolves
 * when that is done or has failed: services start without it as well, only later and larger.
 */
export const fillCache = ({ servicesDir, env }: FillOptions): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [main, servicesDir, ...serviceNames], {
      env,
      stdio: 'ignore',
    });
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
