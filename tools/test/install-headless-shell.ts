import { existsSync } from 'node:fs';
import { runCommand } from '../run-command.ts';
import { installPrograms } from './install-programs.ts';
import { neededPrograms } from './needed-programs.ts';

const shell = '/usr/bin/chromium-headless-shell';

const chromium = neededPrograms.find(({ debianPackage }) => shell.endsWith(debianPackage));

/**
 * Installs Debian's Chromium without a window beside the one with windows, where only that is installed: it takes a
 * third of the processor time. It gets the same version, so that nothing is upgraded. Without it tests drive the other.
 * Does nothing if none of `files` drives it.
 */
export async function installHeadlessShell(files: readonly string[]): Promise<void> {
  if (existsSync(shell) || !files.some((file) => chromium?.neededBy.test(file))) {
    return;
  }
  const query = ['--show', '--showformat', '${Version}', 'chromium'];
  const { exitCode, output: version } = await runCommand('dpkg-query', query);
  if (exitCode === 0 && version !== '') {
    await installPrograms([`chromium-headless-shell=${version}`]);
  }
}
