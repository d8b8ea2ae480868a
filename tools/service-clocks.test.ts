import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { repositoryRoot } from './repository-root.ts';

/** The gateway, which has no database, checks run tokens by the clock of its machine: they are signed by such a clock. */
const exceptions = ['services/auth/src/routes/run-tokens.ts'];

const clockOfMachine = /new Date\(\)|Date\.now\b/;

it('services with a database take the time from it, not from the clock of their machine', () => {
  const files = globSync('services/{agents,auth,notes}/src/**/*.ts', { cwd: repositoryRoot });
  expect(files.length).toBeGreaterThan(300);
  expect(
    files.filter(
      (file) =>
        !file.endsWith('.test.ts') &&
        clockOfMachine.test(readFileSync(join(repositoryRoot, file), 'utf8')),
    ),
  ).toEqual(exceptions);
});
