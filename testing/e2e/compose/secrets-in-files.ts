import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

/** The secrets that each service reads. The passwords of PostgreSQL are tested by the connections. */
export const secretsOfServices = {
  auth: [
    'SESSION_SECRETS',
    'PASSWORD_PEPPERS',
    'RUN_TOKEN_SECRETS',
    'SECOND_FACTOR_SECRETS',
    'INTERNAL_IDENTITY_SECRETS',
    'BOOTSTRAP_OPERATOR_PASSWORD',
    'OIDC_CLIENT_SECRET',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'DATABASE_PASSWORD',
  ],
  agents: ['API_KEY_PEPPERS', 'INTERNAL_IDENTITY_SECRETS', 'OTEL_EXPORTER_OTLP_HEADERS'],
  notes: ['INTERNAL_IDENTITY_SECRETS', 'OTEL_EXPORTER_OTLP_HEADERS', 'EMBEDDINGS_API_KEY'],
  gateway: ['SESSION_SECRETS', 'RUN_TOKEN_SECRETS', 'API_KEY_PEPPERS', 'INTERNAL_IDENTITY_SECRETS'],
} as const;

/** Secrets that `pnpm secrets` does not make. */
const given = {
  OIDC_CLIENT_SECRET: 'the secret of a client',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=token',
  EMBEDDINGS_API_KEY: 'key-of-a-service',
};

/** Moves the value of every secret of an .env to a file of its own, and names it there; returns the values. */
export const moveSecretsToFiles = async (
  envFile: string,
  folder: string,
): Promise<Readonly<Record<string, string | undefined>>> => {
  let text = await readFile(envFile, 'utf8');
  const settings: Record<string, string | undefined> = { ...parseEnv(text), ...given };
  for (const [, name = ''] of text.matchAll(/^(\w+)_FILE=$/gm)) {
    const path = join(folder, name);
    await writeFile(path, `${settings[name]}\n`);
    text = text
      .replace(new RegExp(`^${name}=.*$`, 'm'), `${name}=`)
      .replace(new RegExp(`^${name}_FILE=$`, 'm'), `${name}_FILE=${path}`);
  }
  await writeFile(envFile, text);
  return { ...settings, DATABASE_PASSWORD: settings['AUTH_DATABASE_PASSWORD'] };
};
