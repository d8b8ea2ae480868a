import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cliProgram, nodeEnvironment } from '@commonplace/testkit';

const main = cliProgram();

/** What the program prints on a terminal, with its errors: `script` of util-linux gives it one. */
export const runOnTerminal = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> => {
  const line = [process.execPath, main, ...args].map((word) => `'${word}'`).join(' ');
  const all = { ...nodeEnvironment(), HOME: '/tmp', TERM: 'xterm-256color', ...env };
  const options = { env: all, encoding: 'utf8', timeout: 60_000 } as const;
  const { stdout } = await promisify(execFile)('script', ['-qec', line, '/dev/null'], options);
  return stdout;
};
