import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { operatorEnvironment } from './operator-environment.ts';

const command = join(import.meta.dirname, '../../../services/auth/src/operator-cli.ts');

try {
  const env = await operatorEnvironment(process.env);
  const args = ['--disable-warning=ExperimentalWarning', command, ...process.argv.slice(2)];
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  child.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
