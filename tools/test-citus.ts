import { spawn } from 'node:child_process';
import { repositoryRoot } from './repository-root.ts';
import { workspaceEnvironment } from './run-command.ts';

/*
 * `pnpm test:citus` runs the tests of everything that uses the database on the Citus cluster that CITUS_DATABASE_URL
 * names: a superuser's URL of a database on the coordinator, with the workers added. Each test file gets a database of
 * its own on every node. The drills start clusters of their own with the programs of that cluster, which must be on this
 * machine. Without the variable it prints so and passes. Paths and options (`--option=value`) go to Jest.
 */

const variable = 'CITUS_DATABASE_URL';

const tested = [
  'services/agents/test',
  'services/auth/test',
  'services/notes/test',
  'testing/checker/test',
  'testing/e2e/test',
];

/** Files of those folders that start a PostgreSQL or a deployment of their own, and so would not use the cluster. */
const independent = [
  'backup-of-factors',
  'backup',
  'docs-commands',
  'full-disk',
  'lost-configuration',
  'oidc-doctor',
  'outage-of-database',
  'pgbouncer',
  'restore-drill',
  'two-deployments',
  'upgrade-of-sessions',
  'upgrade',
].map((name) => `testing/e2e/test/${name}\\.test\\.ts`);

if (process.env[variable] === undefined) {
  console.log(`Skipped: ${variable} names no Citus cluster.`);
} else {
  const args = process.argv.slice(2).filter((argument) => argument !== '--');
  const options = args.filter((argument) => argument.startsWith('-'));
  const paths = args.filter((argument) => !argument.startsWith('-'));
  const ignored = independent.map((pattern) => `--testPathIgnorePatterns=${pattern}`);
  // A database takes a second on each node, more on a busy machine, and many tests have one of their own.
  const patience = '--testTimeout=180000';
  const chosen = paths.length > 0 ? ['--', ...paths] : [...ignored, '--', ...tested];
  process.exitCode = await runJest([patience, ...options, ...chosen]);
}

/** Resolves with the exit code of Jest. */
function runJest(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('jest', ['--selectProjects', 'service', ...args], {
      cwd: repositoryRoot,
      env: { ...workspaceEnvironment(), [variable]: process.env[variable] },
      stdio: 'inherit',
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
