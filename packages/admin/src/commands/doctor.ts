import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { withPassword } from '@commonplace/config';
import { failure, type Finding } from '@commonplace/checks';
import { httpAddress } from '@commonplace/standalone/http-address';
import { readStoredSecrets } from '@commonplace/standalone/load-secrets';
import { runningAdminUrl } from '@commonplace/standalone/running-admin-url';
import { print, type Command, type CommandInput } from '../command.ts';
import { checkConnect } from '../doctor/check-connect.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { checkEmbeddings } from '../doctor/check-embeddings.ts';
import { checkGateway } from '../doctor/check-gateway.ts';
import { checkMachine } from '../doctor/check-machine.ts';
import { checkProcesses } from '../doctor/check-processes.ts';
import { checkRelease } from '../doctor/check-release.ts';
import { checkSecrets } from '../doctor/check-secrets.ts';
import { checkSettings } from '../doctor/check-settings.ts';
import { checkSignIn } from '../doctor/check-sign-in.ts';
import { checkTls } from '../doctor/check-tls.ts';
import type { Deployment } from '../doctor/deployment.ts';

/** Checks a deployment; the exit code is 1 if something fails. */
export const doctor: Command = {
  options: {
    'env-file': { type: 'string' },
    url: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
  run: async (input) => {
    const findings = await examine(await readDeployment(input));
    print(
      input.options['json'] ? JSON.stringify(findings, null, 2) : findings.map(lineOf).join('\n'),
    );
    return findings.some(({ state }) => state === 'failure') ? 1 : 0;
  },
};

type Check = (deployment: Deployment) => Promise<Finding[]>;

/** The checks by what they look at, in the order of their findings. */
const checks: Readonly<Record<string, Check>> = {
  machine: checkMachine,
  release: checkRelease,
  gateway: checkGateway,
  processes: checkProcesses,
  settings: checkSettings,
  secrets: checkSecrets,
  TLS: checkTls,
  'single sign-on': checkSignIn,
  connect: checkConnect,
  'search by meaning': checkEmbeddings,
  database: checkDatabase,
};

/** Without settings, each check would say something of another deployment. */
const examine = async (deployment: Deployment): Promise<Finding[]> => {
  const { isInImage, isBeforeFirstStart } = deployment;
  return isInImage && isBeforeFirstStart
    ? [
        failure(
          'settings',
          'this container has none of the deployment',
          'Run docker-compose run --rm doctor, whose container has them.',
        ),
      ]
    : (
        await Promise.all(
          Object.entries(checks).map(([name, check]) => run(name, () => check(deployment))),
        )
      ).flat();
};

/** A check that fails leaves the findings of the others. */
const run = async (name: string, check: () => Promise<Finding[]>): Promise<Finding[]> => {
  try {
    return await check();
  } catch (error) {
    const todo = 'Correct what else is reported here, and run the doctor again.';
    return [failure(name, `cannot be checked: ${(error as Error).message}`, todo)];
  }
};

/** The environment comes first, then the file that --env-file names, or else the secrets of the data directory. */
const readDeployment = async ({ options, env: given }: CommandInput): Promise<Deployment> => {
  const envFile = options['env-file'];
  const isLocal = envFile === undefined;
  const dataDir = resolve(given['DATA_DIR'] || '.data');
  const stored = isLocal
    ? await readStoredSecrets(dataDir)
    : parseEnv(await readFile(String(envFile), 'utf8'));
  const env = { DATA_DIR: dataDir, ...stored, ...given };
  const set = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const published = httpAddress(set['HOST'] ?? '127.0.0.1', set['PORT'] ?? '8080');
  const url = options['url'] ?? given['GATEWAY_URL'] ?? published;
  return {
    url: String(url).replace(/\/$/, ''),
    env: set,
    adminUrl: (await databaseUrlOf(set)) ?? (isLocal ? await runningAdminUrl(dataDir) : null),
    dataDir: isLocal ? dataDir : null,
    isInImage: given['SERVICE'] === 'packages/admin',
    isBeforeFirstStart: isLocal && !Object.keys(env).some((name) => namesSecret.test(name)),
  };
};

/** A file that cannot be read and what is no URL are reported where the connection fails. */
const databaseUrlOf = async (env: Deployment['env']): Promise<string | null> => {
  const { DATABASE_URL: url, DATABASE_PASSWORD: password, DATABASE_PASSWORD_FILE: file } = env;
  if (url === undefined || !URL.canParse(url)) {
    return url ?? null;
  }
  const read = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '');
  return withPassword(url, password ?? (read.trim() || undefined));
};

const namesSecret = /_(?:SECRETS|PEPPERS)(?:_FILE)?$/;

const signs = { ok: 'ok  ', warning: 'warn', failure: 'FAIL', skipped: '-   ' } as const;

const lineOf = ({ check, state, detail, todo }: Finding): string =>
  `${signs[state]}  ${check}: ${detail}${todo === undefined ? '' : ` → ${todo}`}`;
