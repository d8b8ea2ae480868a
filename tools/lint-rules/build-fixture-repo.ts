import { cp, mkdir, mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../repository-root.ts';
import type { Finding } from './finding.ts';

/** A small repository with our settings, whose files break rules on purpose. */
export type FixtureRepo = {
  path: string;
  /** The findings to expect, from the line `// breaks <tool>/<rule> …` that opens a file. */
  expected: Finding[];
};

const settings = [
  '.dependency-cruiser.mjs',
  '.oxfmtrc.json',
  '.oxlintrc.json',
  'knip.json',
  'package.json',
  'pnpm-workspace.yaml',
  'tsconfig.base.json',
];

/** Packages that fixtures import. The rules match their names, so they are empty. */
const packagesOfNpm = ['express', 'express-session', 'knex', 'pg'];

/** Violations of length limits, generated because they are long. */
const generated: Record<string, string> = {
  'services/notes/src/goes-on-for-ever.ts': `// breaks lint/max-lines\n${'void 0;\n'.repeat(301)}`,
  'services/notes/src/does-too-much.ts': [
    '// breaks lint/max-lines-per-function',
    'export function everything(): void {',
    ...Array.from({ length: 50 }, () => '  void 0;'),
    '}\n',
  ].join('\n'),
};

/** Builds the fixture repository outside the repository and its ignore lists. */
export async function buildFixtureRepo(): Promise<FixtureRepo> {
  const path = await mkdtemp(join(tmpdir(), 'commonplace-lint-rules-'));
  await cp(join(import.meta.dirname, 'fixtures'), path, { recursive: true });
  for (const file of settings) {
    await cp(join(repositoryRoot, file), join(path, file));
  }
  for (const [file, text] of Object.entries(generated)) {
    await writeFile(join(path, file), text);
  }
  await installPackages(join(path, 'node_modules'));
  return { path, expected: await readExpected(path) };
}

async function installPackages(folder: string): Promise<void> {
  for (const name of packagesOfNpm) {
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(join(folder, name, 'index.js'), '');
  }
  await symlink(join(repositoryRoot, 'node_modules', '@types'), join(folder, '@types'));
}

async function readExpected(path: string): Promise<Finding[]> {
  const expected: Finding[] = [];
  for (const root of ['packages', 'services']) {
    const entries = await readdir(join(path, root), { recursive: true });
    for (const entry of entries.filter((name) => name.endsWith('.ts'))) {
      const file = join(root, entry);
      const [, rules = ''] =
        /^\/\/ breaks (.*)/.exec(await readFile(join(path, file), 'utf8')) ?? [];
      expected.push(
        ...rules
          .split(' ')
          .filter(Boolean)
          .map((rule) => ({ rule, file })),
      );
    }
  }
  return expected;
}
