import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { env as given } from 'node:process';
import { parseArgs, parseEnv } from 'node:util';
import { runningAdminUrl } from '@commonplace/standalone/running-admin-url';
import { checkDatabase } from './check-database.ts';
import { checkGateway } from './check-gateway.ts';
import { checkMachine } from './check-machine.ts';
import { checkSecrets } from './check-secrets.ts';
import { checkTls } from './check-tls.ts';
import type { Deployment, Finding } from './finding.ts';

/** `pnpm run doctor [--env-file .env] [--url http://…] [--json]`: exit code 1 when something fails. */
const { values } = parseArgs({
  options: {
    'env-file': { type: 'string' },
    url: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});

const textOf = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

/** The environment, then the file that is named, then what `pnpm start` keeps in its data directory. */
const readDeployment = async (): Promise<Deployment> => {
  const file =
    values['env-file'] === undefined ? {} : parseEnv(await readFile(values['env-file'], 'utf8'));
  const dataDir = resolve(given['DATA_DIR'] || '.data');
  const kept = JSON.parse((await textOf(join(dataDir, 'secrets.json'))) || '{}') as object;
  const env = { DATA_DIR: dataDir, ...(values['env-file'] ? {} : kept), ...file, ...given };
  const set = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const url = values.url ?? `http://${set['HOST'] ?? '127.0.0.1'}:${set['PORT'] ?? '8080'}`;
  const isLocal = values['env-file'] === undefined;
  return {
    url: url.replace(/\/$/, ''),
    env: set,
    adminUrl: set['DATABASE_URL'] ?? (isLocal ? await runningAdminUrl(dataDir) : null),
    dataDir: isLocal ? dataDir : null,
    isBeforeFirstStart: isLocal && !Object.keys(env).some((name) => namesSecret.test(name)),
  };
};

const namesSecret = /_(?:SECRETS|PEPPERS)(?:_FILE)?$/;

const signs = { ok: 'ok  ', warning: 'warn', failure: 'FAIL', skipped: '-   ' } as const;

const line = ({ check, state, detail, todo }: Finding): string =>
  `${signs[state]}  ${check}: ${detail}${todo === undefined ? '' : ` → ${todo}`}`;

const deployment = await readDeployment();
const findings = (
  await Promise.all([
    checkMachine(deployment),
    checkGateway(deployment),
    Promise.resolve(checkSecrets(deployment)),
    checkTls(deployment),
    checkDatabase(deployment),
  ])
).flat();
console.log(values.json ? JSON.stringify(findings, null, 2) : findings.map(line).join('\n'));
process.exitCode = findings.some(({ state }) => state === 'failure') ? 1 : 0;
