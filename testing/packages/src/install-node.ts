import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run } from './run.ts';

/** Installs a version of Node from npm into a folder. Returns the folder of the program. */
export const installNode = async (version: number, parent: string): Promise<string> => {
  if (process.versions.node.startsWith(`${version}.`)) {
    return dirname(process.execPath);
  }
  const folder = join(parent, `node-${version}`);
  await mkdir(folder, { recursive: true });
  const flags = ['--no-audit', '--no-fund', '--prefer-offline', '--prefix', folder];
  await run('npm', ['install', ...flags, `node@${version}`], { folder });
  return join(folder, 'node_modules', 'node', 'bin');
};
