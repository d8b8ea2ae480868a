import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { areAsRecorded, bundlesFolder, readRecord } from './bundle-record.ts';

/**
 * The file of a service's bundle that Node runs; null if there is none, or if one of the sources has been changed since it was
 * made. The sources then run as they are.
 */
export const currentBundle = async (serviceDir: string): Promise<string | null> => {
  const record = await readRecord(serviceDir);
  if (record === null || !(await areAsRecorded(serviceDir, record.files))) {
    return null;
  }
  const main = join(serviceDir, bundlesFolder, record.folder, 'main.js');
  return existsSync(main) ? main : null;
};
