import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@commonplace/embedded-postgres';
import { createApi, type Api } from '../src/call-api.ts';
import { signIn } from '../src/sign-in.ts';
import { composeOf, mustRun, type Compose } from './compose.ts';
import { untilReady } from './until-ready.ts';

const repositoryRoot = join(import.meta.dirname, '../../..');

/** Credentials of every deployment in these tests. */
const administrator = {
  email: 'board@example.org',
  password: 'seven grey herons waiting',
} as const;

/** A deployment that is isolated from others on this Docker host. */
export type Deployment = {
  readonly name: string;
  readonly baseUrl: string;
  readonly envFile: string;
  readonly compose: Compose;
  /** Commands for the same project by another checkout's compose file, with settings that come first. */
  readonly composeIn: (folder: string, env: Readonly<Record<string, string>>) => Promise<Compose>;
  readonly board: () => Promise<Api>;
  readonly boardHeaders: () => Promise<Record<string, string>>;
  /** Waits until /readyz returns 200. */
  readonly ready: () => Promise<void>;
  /** Removes the deployment with its data. */
  readonly remove: () => Promise<void>;
};

/** Writes the settings of a new deployment as `pnpm secrets` does; nothing is started. */
export const makeDeployment = async (
  name: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Deployment> => {
  const scratch = await mkdtemp(join(tmpdir(), 'commonplace-compose-'));
  const envFile = join(scratch, 'env');
  const port = await findFreePort();
  await mustRun('node', [join(repositoryRoot, 'packages/admin/src/main.ts'), 'secrets', envFile]);
  await change(envFile, {
    PORT: String(port),
    IMAGE_PREFIX: 'commonplace-test',
    IMAGE_TAG: 'latest',
    BOOTSTRAP_OPERATOR_EMAIL: administrator.email,
    BOOTSTRAP_OPERATOR_PASSWORD: administrator.password,
    RATE_LIMIT_PER_SECOND: '0',
    ...settings,
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const composeIn: Deployment['composeIn'] = (folder, env) =>
    composeOf({ name, folder, envFile, env });
  const compose = await composeIn(repositoryRoot, {});
  const boardHeaders = () => signIn({ baseUrl, ...administrator });
  return {
    name,
    baseUrl,
    envFile,
    compose,
    composeIn,
    boardHeaders,
    board: async () => createApi({ baseUrl, headers: await boardHeaders() }),
    ready: () => untilReady(baseUrl),
    remove: async () => {
      await compose('down', '--volumes', '--remove-orphans', '--timeout', '5');
      await rm(scratch, { recursive: true });
    },
  };
};

/** Sets variables in a settings file. */
const change = async (file: string, settings: Readonly<Record<string, string>>): Promise<void> => {
  let text = await readFile(file, 'utf8');
  for (const [name, value] of Object.entries(settings)) {
    text = text.replaceAll(new RegExp(`^${name}=.*$`, 'gm'), `${name}=${value}`);
  }
  await writeFile(file, text);
};
