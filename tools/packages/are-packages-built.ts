import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { digestFiles } from '../../packages/console/build/digest-files.ts';
import { repositoryRoot } from '../repository-root.ts';
import { servedFolder } from './published-packages.ts';

/** The file beside the tarballs with the digest of their sources. */
export const digestFile = 'sources.sha256';

/** The two packages, and those of this repository that are bundled in them. */
const folders = [
  'client',
  'cli',
  'config',
  'contracts',
  'file-lock',
  'identity',
  'merge',
  'note-files',
];
const inputs = ['src', 'package.json', 'README.md', 'tsdown.config.mjs'];

/** The SHA-256 of all inputs of the tarballs. */
export const digestSources = (): Promise<string> =>
  digestFiles(repositoryRoot, [
    ...folders.flatMap((folder) => inputs.map((input) => join('packages', folder, input))),
    // The types of the client are made from it.
    'docs/openapi.json',
    'pnpm-workspace.yaml',
  ]);

/** Whether the tarballs that the gateway serves exist and match the sources. */
export const arePackagesBuilt = async (): Promise<boolean> => {
  const built = await readFile(join(servedFolder, digestFile), 'utf8').catch(() => null);
  return built !== null && built === (await digestSources());
};
