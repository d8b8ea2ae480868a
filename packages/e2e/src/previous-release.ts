import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** The code before the schema last changed, in a folder of its own. */
export type PreviousRelease = {
  readonly commit: string;
  readonly folder: string;
  readonly remove: () => Promise<void>;
};

/** Why there is none to be had. */
export type NoRelease = { readonly why: string };

/**
 * Takes the commit before the last one that touched a migration out of the history. It runs on the
 * dependencies installed here, and knows its own migrations only.
 */
export const checkOutPrevious = async (): Promise<PreviousRelease | NoRelease> => {
  const commit = await commitBefore();
  if (commit === null) {
    return { why: 'the history is not here: a shallow clone, or no clone at all' };
  }
  // Beside the sources, because it resolves its dependencies from there.
  await mkdir(join(root, '.tmp'), { recursive: true });
  const folder = await mkdtemp(join(root, '.tmp', 'previous-'));
  const archive = `${folder}.tar`;
  await run('git', ['-C', root, 'archive', '--output', archive, commit]);
  await run('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const part of await partsOf(folder)) {
    await linkDependencies(folder, part);
  }
  return { commit, folder, remove: () => rm(folder, { recursive: true, force: true }) };
};

/** Null when Git cannot tell: without the parent there is no code from before. */
const commitBefore = async (): Promise<string | null> => {
  const paths = ['auth', 'agents', 'notes'].map((name) => `services/${name}/migrations`);
  try {
    const { stdout: last } = await run('git', [
      '-C',
      root,
      'log',
      '-1',
      '--format=%H',
      '--diff-filter=AM',
      '--',
      ...paths,
    ]);
    const { stdout } = await run('git', ['-C', root, 'rev-parse', '--verify', `${last.trim()}^`]);
    return stdout.trim();
  } catch {
    return null;
  }
};

const partsOf = async (folder: string): Promise<string[]> => {
  const found = await Promise.all(
    ['packages', 'services'].map(async (group) =>
      (await readdir(join(folder, group))).map((name) => join(group, name)),
    ),
  );
  return found.flat();
};

/** pnpm's links are relative: a copy of them leads to the packages of the copy. */
const linkDependencies = async (folder: string, part: string): Promise<void> => {
  await cp(join(root, part, 'node_modules'), join(folder, part, 'node_modules'), {
    recursive: true,
    verbatimSymlinks: true,
  }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') {
      throw error;
    }
  });
};
