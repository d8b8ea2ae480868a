import { spawn } from 'node:child_process';
import { repositoryRoot } from './repository-root.ts';
import { runCommand, workspaceEnvironment } from './run-command.ts';

/*
 * `pnpm test:compose` tests the deployment of docker-compose.yml with a real Docker Engine. Without one it
 * says so and passes: what needs none is tested by `pnpm test`. What follows on the command line goes to
 * Jest.
 *
 * Containers start, stop and are counted on beside whatever else the machine does. What fails is therefore
 * run once more, from nothing; what passes then is named as unsteady, to be looked into.
 */

const engine = await runCommand('docker', ['info']);
const plugin = await runCommand('docker', ['compose', 'version']);
const program = await runCommand('docker-compose', ['version']);
if (engine.exitCode !== 0) {
  console.log('Skipped: no Docker Engine answers, so the docker-compose deployment is not tested.');
} else if (plugin.exitCode !== 0 && program.exitCode !== 0) {
  console.log('Skipped: neither docker compose nor docker-compose is installed.');
} else {
  process.exitCode = await test();
}

async function test(): Promise<number> {
  const first = await runJest();
  if (first === 0) {
    return first;
  }
  console.log('\nOnce more, from nothing:');
  const second = await runJest();
  if (second === 0) {
    console.log('UNSTEADY: failed first, and passed when it was run again.');
  }
  return second;
}

/** Resolves with the exit code of Jest. */
function runJest(): Promise<number> {
  const args = ['--config', 'jest.compose.config.mjs', '--runInBand', ...process.argv.slice(2)];
  const jest = spawn('jest', args, {
    cwd: repositoryRoot,
    env: workspaceEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    jest.once('error', reject);
    jest.once('close', (code) => resolve(code ?? 1));
  });
}
