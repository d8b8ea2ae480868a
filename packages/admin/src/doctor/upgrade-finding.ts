import { describeDatabase, ok, skipped, warning, type Finding } from '@commonplace/checks';
import { countProcesses } from './check-processes.ts';
import type { Deployment } from './deployment.ts';

const check = 'connections of an upgrade';

type Query = Parameters<typeof describeDatabase>[0];

/** Connections that are left to superusers, migrations, backups and the doctor. */
const reserved = 10;

/**
 * Whether PostgreSQL has enough connections for an upgrade that starts new processes of a service beside the old ones, as
 * `infra/docker/replace-containers` does; none where the environment does not say where the services are, or says what the
 * checks of processes and settings report.
 */
export const upgradeFindings = async (
  query: Query,
  { env }: Pick<Deployment, 'env'>,
): Promise<Finding[]> => {
  const counts = await Promise.all(
    ['auth', 'agents', 'notes'].map((name) => countProcesses(env, name)),
  );
  const each = Number(env['DATABASE_CONNECTIONS_MAX'] ?? 10);
  if (counts.includes(0) || !Number.isInteger(each)) {
    return [];
  }
  if (env['DATABASE_NAMED_STATEMENTS'] === 'off') {
    return [skipped(check, 'the services connect through PgBouncer, which pools connections')];
  }
  const { max } = await describeDatabase(query);
  return [upgradeFinding({ counts, each, max })];
};

type Connections = {
  /** The processes of each service. */
  readonly counts: readonly number[];
  /** The connections of a process. */
  readonly each: number;
  readonly max: number;
};

/** Services are replaced one after another: most connections are open while the one with most processes has twice as many. */
export const upgradeFinding = ({ counts, each, max }: Connections): Finding => {
  const processes = counts.reduce((sum, count) => sum + count, 0) + Math.max(...counts);
  const needed = processes * each + reserved;
  const text = `an upgrade takes up to ${needed} of ${max}: ${processes} processes with ${each} each, and ${reserved} reserved`;
  return needed <= max
    ? ok(check, text)
    : warning(
        check,
        text,
        'Without PgBouncer, raise max_connections or lower DATABASE_CONNECTIONS_MAX before the next one: requests beyond get 503.',
      );
};
