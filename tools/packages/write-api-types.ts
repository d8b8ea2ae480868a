import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../repository-root.ts';
import { workspaceEnvironment } from '../run-command.ts';

const document = join(repositoryRoot, 'docs/openapi.json');
const typesFile = join(repositoryRoot, 'packages/client/generated/api-types.ts');
const generator = join(repositoryRoot, 'packages/client/node_modules/.bin/openapi-typescript');

/**
 * Writes the types of the client from docs/openapi.json, unless they are there already. They are built rather than
 * committed, outside of `src`, whose digest says whether the console is built; whatever reads them calls this first: the
 * checks and the build of the packages.
 */
export async function writeApiTypes(): Promise<void> {
  const openApi = await readFile(document);
  const heading = `// From docs/openapi.json, SHA-256 ${createHash('sha256').update(openApi).digest('hex')}\n`;
  const written = await readFile(typesFile, 'utf8').catch(() => '');
  if (written.startsWith(heading)) {
    return;
  }
  await mkdir(dirname(typesFile), { recursive: true });
  const unfinished = `${typesFile}.${process.pid}.part`;
  await writeFile(unfinished, heading + (await generate(openApi)));
  await rename(unfinished, typesFile);
}

/**
 * openapi-typescript needs the TypeScript 5 that packages/client brings for it. It takes paths for URLs, which fails
 * in a clone whose path contains `#`; hence it reads and writes pipes.
 */
function generate(openApi: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      generator,
      // A field with a default may be left out of a request.
      ['--default-non-nullable=false'],
      { env: workspaceEnvironment(), maxBuffer: 1 << 26 },
      (error, stdout) =>
        error === null
          ? resolve(stdout)
          : reject(new Error('openapi-typescript failed.', { cause: error })),
    );
    child.stdin?.on('error', reject).end(openApi);
  });
}
