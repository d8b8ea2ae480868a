import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Lets everyone read a folder and all below it. Temporary folders are closed to others, and so is what a umask of 077
 * leaves; root may install, and another user run the gateway.
 */
export const makeReadable = async (dir: string): Promise<void> => {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  await chmod(dir, 0o755);
  for (const entry of entries) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
  }
};
