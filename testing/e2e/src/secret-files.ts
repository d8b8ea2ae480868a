import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessName } from '@commonplace/contracts';

/** Every list of secrets, and the processes that read it. */
const readers: Readonly<Record<string, readonly ProcessName[]>> = {
  RUN_TOKEN_SECRETS: ['auth', 'gateway'],
  INTERNAL_IDENTITY_SECRETS: ['auth', 'agents', 'notes', 'gateway'],
  API_KEY_PEPPERS: ['agents', 'gateway'],
  PASSWORD_PEPPERS: ['auth'],
  SESSION_SECRETS: ['auth', 'gateway'],
  SECOND_FACTOR_SECRETS: ['auth'],
};

type Environment = Record<string, string>;

/** Secrets in files, as Docker mounts them: a process reads them only at start. */
export type SecretFiles = {
  readonly serviceEnv: Readonly<Record<ProcessName, Environment>>;
  /** Rewrites every list from its former and its new secret. */
  readonly write: (order: (former: string, fresh: string) => readonly string[]) => Promise<void>;
};

/** Creates a former and a new secret for every list and writes only the former. */
export const makeSecretFiles = async (directory: string): Promise<SecretFiles> => {
  const serviceEnv = { auth: {}, agents: {}, notes: {}, gateway: {} } as Record<
    ProcessName,
    Environment
  >;
  const files = Object.entries(readers).map(([name, services]) => {
    const path = join(directory, name);
    for (const service of services) {
      // An empty variable counts as unset, so the file replaces the supervisor's value.
      Object.assign(serviceEnv[service], { [name]: '', [`${name}_FILE`]: path });
    }
    return { path, former: makeSecret(), fresh: makeSecret() };
  });
  const write: SecretFiles['write'] = async (order) => {
    for (const { path, former, fresh } of files) {
      await writeFile(path, order(former, fresh).join(','));
    }
  };
  await write((former) => [former]);
  return { serviceEnv, write };
};

const makeSecret = (): string => randomBytes(32).toString('base64url');
