import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfPresent, writePrivateFile } from './data-directory.ts';

/** The names of the variables of all secrets. */
export const secretNames = [
  'RUN_TOKEN_SECRETS',
  'INTERNAL_IDENTITY_SECRETS',
  'API_KEY_PEPPERS',
  'PASSWORD_PEPPERS',
  'SESSION_SECRETS',
  'SECOND_FACTOR_SECRETS',
  'AUTH_DATABASE_PASSWORD',
  'AGENTS_DATABASE_PASSWORD',
  'NOTES_DATABASE_PASSWORD',
] as const;

/** Every secret of the system, by the name of its variable. */
export type Secrets = Readonly<Record<(typeof secretNames)[number], string>>;

/**
 * The secrets of this data directory, generated if missing and stored in `secrets.json`. A given secret replaces
 * the stored one and is not written.
 */
export const loadSecrets = async (
  dataDir: string,
  given: Readonly<Record<string, string | undefined>>,
): Promise<Secrets> => {
  const path = pathIn(dataDir);
  const kept = await readStoredSecrets(dataDir);
  const missing = secretNames.filter((name) => kept[name] === undefined);
  const secrets = { ...kept, ...Object.fromEntries(missing.map((name) => [name, makeSecret()])) };
  if (missing.length > 0) {
    await writePrivateFile(path, `${JSON.stringify(secrets, null, 2)}\n`);
  }
  return Object.fromEntries(
    secretNames.map((name) => [name, given[name] ?? secrets[name]]),
  ) as Secrets;
};

const pathIn = (dataDir: string): string => join(dataDir, 'secrets.json');

const makeSecret = (): string => randomBytes(32).toString('base64url');

/**
 * The secrets in the file of a data directory; none if there is no file. A damaged file is never replaced: without its
 * peppers all keys and passwords would be lost.
 */
export const readStoredSecrets = async (dataDir: string): Promise<Record<string, string>> => {
  const path = pathIn(dataDir);
  try {
    const text = await readIfPresent(path);
    return text === null ? {} : z.record(z.string(), z.string()).parse(JSON.parse(text));
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const todo =
      code === 'EACCES'
        ? 'It belongs to another user: run this as that user.'
        : 'Restore the file from a backup.';
    throw new Error(`The secrets in ${path} cannot be read. ${todo}`, { cause });
  }
};
