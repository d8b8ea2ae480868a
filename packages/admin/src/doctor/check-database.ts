import { databaseFindings, failure, ok, skipped, warning, type Finding } from '@commonplace/checks';
import { namesOfMigrations, readHistory, serviceNames } from '@commonplace/migrations';
import pg from 'pg';
import { checkCitus } from './check-citus.ts';
import { upgradeFindings } from './upgrade-finding.ts';
import type { Deployment } from './deployment.ts';

/** Citus waits 30 s for a node that it cannot reach. */
const responseSecondsMax = 45;

/** Checks version, clock, connections, roles, row-level security, cluster and schema of the database. */
export const checkDatabase = async (
  deployment: Pick<Deployment, 'adminUrl' | 'dataDir' | 'env'>,
  responseMsMax = responseSecondsMax * 1_000,
): Promise<Finding[]> => {
  const { adminUrl, dataDir } = deployment;
  if (adminUrl === null) {
    const why =
      dataDir === null
        ? 'set DATABASE_URL with the role of an administrator to check it'
        : `the embedded PostgreSQL of ${dataDir} does not run: pnpm start starts or creates it`;
    return [skipped('database', why)];
  }
  const client = new pg.Client({
    connectionString: adminUrl,
    connectionTimeoutMillis: 5_000,
    query_timeout: responseMsMax,
  });
  // The query under way fails as well; an error without a listener would end the process.
  client.on('error', () => undefined);
  const findings: Finding[] = [];
  try {
    await client.connect();
    const query = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
    findings.push(...(await databaseFindings(query)));
    findings.push(...(await upgradeFindings(query, deployment)));
    findings.push(...(await checkCitus(client)));
    findings.push(...(await schemaFindings(client)));
    return findings;
  } catch (error) {
    // What was found before stays.
    const todo = 'Is PostgreSQL running, and is the password right?';
    return [...findings, failure('database', (error as Error).message, todo)];
  } finally {
    await client.end().catch(() => undefined);
  }
};

const schemaFindings = async (client: pg.Client): Promise<Finding[]> => {
  const history = await readHistory(client);
  return Promise.all(
    serviceNames.map(async (service) => {
      const known = await namesOfMigrations(service);
      const missing = known.filter((name) => !history[service].includes(name));
      const newer = history[service].filter((name) => !known.includes(name));
      if (missing.length > 0) {
        return failure(`schema ${service}`, `${missing.join(', ')} not run`, 'Run pnpm migrate.');
      }
      return newer.length > 0
        ? warning(`schema ${service}`, `${newer.join(', ')} is of a newer release`, 'Upgrade.')
        : ok(`schema ${service}`, `at ${known.at(-1) ?? 'nothing'}`);
    }),
  );
};
