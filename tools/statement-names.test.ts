import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { repositoryRoot } from './repository-root.ts';

/**
 * A connection prepares a statement under its name, and rejects a second statement of the same name. Of a name that is
 * composed, this is the beginning.
 */
const statementName = /['`]((?:agents|auth|notes)\.[a-z]+-[a-z -]+)(?=['`$])/g;

it('the name of a prepared statement stands for one statement', () => {
  const files = globSync('services/*/src/**/*.ts', { cwd: repositoryRoot }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const names = files.flatMap((file) =>
    [...readFileSync(join(repositoryRoot, file), 'utf8').matchAll(statementName)].map(
      ([, name = '']) => name,
    ),
  );
  expect(names.length).toBeGreaterThan(30);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
