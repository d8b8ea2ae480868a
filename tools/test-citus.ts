import { spawn } from 'node:child_process';
import { repositoryRoot } from './repository-root.ts';
import { workspaceEnvironment } from './run-command.ts';

/*
 * `pnpm test:citus` runs the tests of the agents and notes services on the Citus cluster that CITUS_DATABASE_URL names:
 * a superuser's URL of a database on the coordinator, with the workers added. Each test file gets a database of its own
 * on every node. Without the variable it prints so and passes. Further arguments go to Jest.
 */

const variable = 'CITUS_DATABASE_URL';
const tested = ['services/agents/test', 'services/notes/test'];

if (process.env[variable] === undefined) {
  console.log(`Skipped: ${variable} names no Citus cluster.`);
} else {
  const args = process.argv.slice(2).filter((argument) => argument !== '--');
  process.exitCode = await runJest(args.length > 0 ? args : tested);
}

/** Resolves with the exit code of Jest. */
function runJest(args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn('jest', ['--selectProjects', 'service', '--', ...args], {
      cwd: repositoryRoot,
      env: { ...workspaceEnvironment(), [variable]: process.env[variable] },
      stdio: 'inherit',
    });
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}
