import { globSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { repositoryRoot } from '../repository-root.ts';
import { findMissingPrograms } from './find-missing-programs.ts';
import { neededPrograms } from './needed-programs.ts';

const testFiles = globSync('{packages,services,testing}/*/test/**/*.test.ts', {
  cwd: repositoryRoot,
}).toSorted();

/** Files that contain one of these words start the program, by a helper or by its name. */
const signs: Readonly<Record<string, RegExp>> = {
  Chromium: /support\/browser\.ts|openVisitor|startBrowser/,
  Firefox: /support\/firefox\.ts/,
  nginx: /\bstartNginx\b/,
  PgBouncer: /spawn\('pgbouncer'/,
  Prometheus: /\bstartPrometheus\b/,
  'Python 3': /'python3'/,
  fish: /completion fish \|/,
  zsh: /completion zsh\)/,
};

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commonplace-programs-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('a program that tests drive', () => {
  it.each(neededPrograms.map(({ name }) => name))(
    'is known for every file that starts it: %s',
    (name) => {
      const { neededBy } = neededPrograms.find((each) => each.name === name) ?? neverMet(name);
      const starting = testFiles.filter((file) =>
        signs[name]?.test(readFileSync(join(repositoryRoot, file), 'utf8')),
      );
      expect(starting.length).toBeGreaterThan(0);
      expect(starting.filter((file) => !neededBy.test(file))).toEqual([]);
    },
  );

  it('is missing only where a chosen file needs it and no folder of the PATH has it', async () => {
    const program = {
      name: 'Example',
      commands: ['example-program'],
      debianPackage: 'example',
      neededBy: /^needs/,
    };
    const missing = () =>
      findMissingPrograms(['needs.test.ts', 'other.test.ts'], folder, [program]);
    expect(missing()).toEqual([{ program, files: ['needs.test.ts'] }]);
    expect(findMissingPrograms(['other.test.ts'], folder, [program])).toEqual([]);
    await writeFile(join(folder, 'example-program'), '');
    await chmod(join(folder, 'example-program'), 0o755);
    expect(missing()).toEqual([]);
  });
});

function neverMet(name: string): never {
  throw new Error(`No program is called ${name}.`);
}
