import { spawn } from 'node:child_process';
import { repositoryRoot } from './repository-root.ts';
import { runCommand, workspaceEnvironment } from './run-command.ts';

/*
 * `pnpm test:compose` tests the deployment of docker-compose.yml with a real Docker Engine. Without one it
 * prints so and passes: everything else is tested by `pnpm test`. Further arguments go to Jest.
 *
 * The tests count requests and containers beside other work on the machine, so a failed run is repeated
 * once. If the second run passes, it is reported as unsteady, to be investigated.
 */

const engine = await runCommand('docker', ['info']);
const plugin = await runCommand('docker', ['compose', 'version']);
const program = await runCommand('docker-compose', ['version']);
if (engine.exitCode !== 0) {
  console.log(
    'Skipped: no Docker Engine is available, so the docker-compose deployment is not tested.',
  );
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
  console.log('\nRunning again from the start:');
  const second = await runJest();
  if (second === 0) {
    console.log('UNSTEADY: failed at first, passed when run again.');
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
