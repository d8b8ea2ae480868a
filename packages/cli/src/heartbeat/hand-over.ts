import { lstat, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cents } from '@commonplace/contracts';
import { z } from 'zod';
import { codeOf } from '../describe-error.ts';

/** Two files between us and the command, in a folder that only this user can enter. */
export type HandOver = {
  /** Always holds the newest token, and nothing else. */
  readonly tokenFile: string;
  /** The command may leave its report here. */
  readonly reportFile: string;
  readonly writeToken: (token: string) => Promise<void>;
  /** The cost that the command reported; undefined when it left no report. */
  readonly readCostCents: () => Promise<number | undefined>;
  readonly remove: () => Promise<void>;
};

const reportBytesMax = 64 * 1024;
const report = z.object({ costCents: cents.optional() });

/** Makes the folder; the token comes with the first `writeToken`. */
export const createHandOver = async (): Promise<HandOver> => {
  const folder = await mkdtemp(join(tmpdir(), 'commonplace-run-'));
  const tokenFile = join(folder, 'token');
  const reportFile = join(folder, 'report.json');
  const writeToken = async (value: string): Promise<void> => {
    // Renamed into place, so that the command reads the old token or the new one, never half of one.
    const next = join(folder, 'token.next');
    await writeFile(next, value, { mode: 0o600 });
    await rename(next, tokenFile);
  };
  return {
    tokenFile,
    reportFile,
    writeToken,
    readCostCents: () => readCostCents(reportFile),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

const readCostCents = async (file: string): Promise<number | undefined> => {
  try {
    const stats = await lstat(file);
    // A pipe would never end, and a link might lead to a file that is nobody's report.
    if (!stats.isFile() || stats.size > reportBytesMax) {
      throw new Error('it is no ordinary file of at most 64 KiB');
    }
    return report.parse(JSON.parse(await readFile(file, 'utf8'))).costCents;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw new Error('The report is not {"costCents": a whole number}.', { cause: error });
  }
};
