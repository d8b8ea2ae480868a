import { existsSync } from 'node:fs';
import { runCommand } from '../run-command.ts';

const environment = 'DEBIAN_FRONTEND=noninteractive';

/** The line that installs Debian's packages, for a person to run. */
export const installLine = (packages: readonly string[]): string =>
  `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`;

/**
 * Installs packages where this is Debian (or descends from it) and the user may: as root, or by sudo
 * without a password. Otherwise it does nothing. A failure is printed and leaves the programs missing.
 */
export async function installPrograms(packages: readonly string[]): Promise<void> {
  const prefix = existsSync('/etc/debian_version') ? await prefixOfInstaller() : null;
  if (prefix === null) {
    return;
  }
  console.log(`Installing ${packages.join(', ')} with apt-get: tests drive these programs.`);
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const [program = 'env', ...rest] = [...prefix, 'env', environment, 'apt-get', ...args];
    const { exitCode, output } = await runCommand(program, rest);
    if (exitCode !== 0) {
      console.log(`apt-get ${args[0]} failed:\n${output.trimEnd()}`);
      return;
    }
  }
}

/** What stands before a command that may install; null if the user may not. */
async function prefixOfInstaller(): Promise<readonly string[] | null> {
  if (process.getuid?.() === 0) {
    return [];
  }
  const { exitCode } = await runCommand('sudo', ['-n', 'true']);
  return exitCode === 0 ? ['sudo', '-n'] : null;
}
