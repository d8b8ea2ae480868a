import { readFileSync, writeFileSync } from 'node:fs';
import { composeEnvironment } from './settings/compose-environment.ts';
import { envExample } from './settings/env-example.ts';
import { settingsPage } from './settings/settings-page.ts';

/*
 * `pnpm settings` writes what the table of settings says into .env.example, docker-compose.yml and the page of the
 * settings. `--check` changes nothing and fails when one of them is stale.
 */
const writers = {
  '.env.example': envExample,
  'docker-compose.yml': composeEnvironment,
  'docs/configuration.md': settingsPage,
} as const;

const root = new URL('../../../', import.meta.url);
const isCheck = process.argv.includes('--check');
for (const [name, write] of Object.entries(writers)) {
  const file = new URL(name, root);
  const before = readFileSync(file, 'utf8');
  const after = write(before);
  if (after === before) {
    continue;
  }
  if (isCheck) {
    process.stderr.write(`${name} is stale: run pnpm settings\n`);
    process.exitCode = 1;
  } else {
    writeFileSync(file, after);
    process.stdout.write(`wrote ${name}\n`);
  }
}
