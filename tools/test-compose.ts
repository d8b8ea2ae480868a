import { spawn } from 'node:child_process';
import { repositoryRoot } from './repository-root.ts';
import { runCommand, workspaceEnvironment } from './run-command.ts';

/*
 * `pnpm test:compose` tests the deployment of docker-compose.yml with a real Docker Engine. Without one it
 * says so and passes: what needs none is tested by `pnpm test`. What follows on the command line goes to
 * Jest.
 */

const engine = await runCommand('docker', ['info']);
const plugin = await runCommand('docker', ['compose', 'version']);
const program = await runCommand('docker-compose', ['version']);
if (engine.exitCode !== 0) {
  console.log('Skipped: no Docker Engine answers, so the docker-compose deployment is not tested.');
} else if (plugin.exitCode !== 0 && program.exitCode !== 0) {
  console.log('Skipped: neither docker compose nor docker-compose is installed.');
} else {
  const args = ['--config', 'jest.compose.config.mjs', '--runInBand', ...process.argv.slice(2)];
  const jest = spawn('jest', args, {
    cwd: repositoryRoot,
    env: workspaceEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  process.exitCode = await new Promise<number>((resolve, reject) => {
    jest.once('error', reject);
    jest.once('close', (code) => resolve(code ?? 1));
  });
}
