import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root.ts';
import { workspaceEnvironment } from './run-command.ts';

/*
 * Writes the types of the client from docs/openapi.json. With `--check` it changes nothing and fails
 * when they are stale. openapi-typescript needs the TypeScript 5 that packages/client brings for it. It takes paths for
 * URLs, which fails in a clone whose path contains `#`; hence it reads and writes pipes.
 */
const typesFile = join(repositoryRoot, 'packages/client/src/api-types.ts');

const { status, stdout, stderr } = spawnSync(
  join(repositoryRoot, 'packages/client/node_modules/.bin/openapi-typescript'),
  // A field with a default may be left out of a request.
  ['--default-non-nullable=false'],
  {
    input: readFileSync(join(repositoryRoot, 'docs/openapi.json')),
    encoding: 'utf8',
    env: workspaceEnvironment(),
    maxBuffer: 1 << 26,
  },
);
if (status !== 0) {
  console.error(`openapi-typescript failed:\n${stderr}`);
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) {
  writeFileSync(typesFile, stdout);
} else if (readFileSync(typesFile, 'utf8') !== stdout) {
  console.error(
    'packages/client/src/api-types.ts is not what docs/openapi.json says: run pnpm openapi',
  );
  process.exitCode = 1;
}
