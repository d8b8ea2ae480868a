import { readFileSync, writeFileSync } from 'node:fs';
import { publicRoutes } from '@commonplace/contracts';
import { errorsPage } from './errors-page.ts';
import { openApiDocument } from './openapi-document.ts';

const docs = new URL('../../../docs/', import.meta.url);
const files = new Map([
  ['openapi.json', `${JSON.stringify(openApiDocument(publicRoutes), null, 2)}\n`],
  ['errors.md', errorsPage()],
]);

const readOrNothing = (file: URL): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

// `--check` changes nothing and fails when a generated file is stale.
const isCheck = process.argv.includes('--check');
for (const [name, content] of files) {
  const file = new URL(name, docs);
  if (readOrNothing(file) === content) {
    continue;
  }
  if (isCheck) {
    process.stderr.write(`docs/${name} is stale: run pnpm openapi\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, content);
    process.stdout.write(`wrote docs/${name}\n`);
  }
}
