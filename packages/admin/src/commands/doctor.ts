import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { Finding } from '@commonplace/db';
import { httpAddress } from '@commonplace/standalone/http-address';
import { readStoredSecrets } from '@commonplace/standalone/load-secrets';
import { runningAdminUrl } from '@commonplace/standalone/running-admin-url';
import { print, type Command, type CommandInput } from '../command.ts';
import { checkDatabase } from '../doctor/check-database.ts';
import { checkGateway } from '../doctor/check-gateway.ts';
import { checkMachine } from '../doctor/check-machine.ts';
import { checkSecrets } from '../doctor/check-secrets.ts';
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
    const deployment = await readDeployment(input);
    const checks = [checkMachine, checkGateway, checkSecrets, checkTls, checkSignIn, checkDatabase];
    const findings = (await Promise.all(checks.map((check) => check(deployment)))).flat();
    print(
      input.options['json'] ? JSON.stringify(findings, null, 2) : findings.map(lineOf).join('\n'),
    );
    return findings.some(({ state }) => state === 'failure') ? 1 : 0;
  },
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
  const url = options['url'] ?? httpAddress(set['HOST'] ?? '127.0.0.1', set['PORT'] ?? '8080');
  return {
    url: String(url).replace(/\/$/, ''),
    env: set,
    adminUrl: set['DATABASE_URL'] ?? (isLocal ? await runningAdminUrl(dataDir) : null),
    dataDir: isLocal ? dataDir : null,
    isBeforeFirstStart: isLocal && !Object.keys(env).some((name) => namesSecret.test(name)),
  };
};

const namesSecret = /_(?:SECRETS|PEPPERS)(?:_FILE)?$/;

const signs = { ok: 'ok  ', warning: 'warn', failure: 'FAIL', skipped: '-   ' } as const;

const lineOf = ({ check, state, detail, todo }: Finding): string =>
  `${signs[state]}  ${check}: ${detail}${todo === undefined ? '' : ` → ${todo}`}`;
