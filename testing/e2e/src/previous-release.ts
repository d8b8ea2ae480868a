import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/** A checkout of the code before a schema change. */
export type PreviousRelease = {
  readonly commit: string;
  readonly folder: string;
  readonly remove: () => Promise<void>;
};

/** Why it is not available. */
export type NoRelease = { readonly why: string };

/** The folders of all migrations. */
const allMigrations = ['auth', 'agents', 'notes'].map((name) => `services/${name}/migrations`);

/**
 * Checks out the commit before the last one that touched one of these paths, migrations by default. It runs on the
 * dependencies installed here and has only its own migrations.
 */
export const checkOutPrevious = async (
  paths: readonly string[] = allMigrations,
): Promise<PreviousRelease | NoRelease> => {
  const commit = await commitBefore(paths);
  return commit === null ? noHistory : checkOut(commit);
};

const noHistory = { why: 'the history is not here: a shallow clone, or no clone at all' };

/** Checks out the commit that brought the heading of a release into CHANGELOG.md, in the same way. */
export const checkOutRelease = async (version: string): Promise<PreviousRelease | NoRelease> => {
  const search = ['-C', root, 'log', '--reverse', '--format=%H', `-S## ${version}`];
  const { stdout } = await run('git', [...search, '--', 'CHANGELOG.md']).catch(() => ({
    stdout: '',
  }));
  const [commit = ''] = stdout.split('\n');
  return commit === '' ? noHistory : checkOut(commit);
};

const checkOut = async (commit: string): Promise<PreviousRelease> => {
  // In the repository, because it resolves its dependencies from there.
  await mkdir(join(root, '.tmp'), { recursive: true });
  const folder = await mkdtemp(join(root, '.tmp', 'previous-'));
  const archive = `${folder}.tar`;
  await run('git', ['-C', root, 'archive', '--output', archive, commit]);
  await run('tar', ['-xf', archive, '-C', folder]);
  await rm(archive);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await linkDependencies(folder);
  return { commit, folder, remove: () => rm(folder, { recursive: true, force: true }) };
};

/** Null without Git history: without the parent commit there is no earlier code. */
const commitBefore = async (paths: readonly string[]): Promise<string | null> => {
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

const groups = ['packages', 'services', 'testing'];

/** The folders of a checkout that hold a package, by the name of the package. */
const partsOf = async (folder: string): Promise<Map<string, string>> => {
  const parts = new Map<string, string>();
  for (const group of groups) {
    for (const name of await readdir(join(folder, group)).catch(() => [])) {
      const part = join(folder, group, name);
      const manifest = await manifestOf(part);
      if (manifest) {
        parts.set(manifest.name, part);
      }
    }
  }
  return parts;
};

type Manifest = {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
};

const manifestOf = async (part: string): Promise<Manifest | null> => {
  const text = await readFile(join(part, 'package.json'), 'utf8').catch(() => null);
  return text === null ? null : (JSON.parse(text) as Manifest);
};

const dependenciesOf = ({ dependencies, devDependencies }: Manifest): string[] =>
  Object.keys({ ...dependencies, ...devDependencies });

/** The folders of the npm packages that the checkout depends on. */
const installedPackages = async (): Promise<Map<string, string>> => {
  const installed = new Map<string, string>();
  for (const part of (await partsOf(root)).values()) {
    const manifest = await manifestOf(part);
    for (const name of manifest ? dependenciesOf(manifest) : []) {
      const path = await realpath(join(part, 'node_modules', name)).catch(() => null);
      if (path !== null) {
        installed.set(name, path);
      }
    }
  }
  return installed;
};

/** Links the dependencies of each workspace package of a checkout: its own packages, and npm packages installed here. */
const linkDependencies = async (folder: string): Promise<void> => {
  const parts = await partsOf(folder);
  const installed = await installedPackages();
  for (const part of parts.values()) {
    const manifest = await manifestOf(part);
    for (const name of manifest ? dependenciesOf(manifest) : []) {
      const target = parts.get(name) ?? installed.get(name);
      const link = join(part, 'node_modules', name);
      if (target !== undefined) {
        await mkdir(dirname(link), { recursive: true });
        await symlink(target, link);
      }
    }
  }
};
