import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// @ts-expect-error a file of settings without types
import layerSettings from '../.dependency-cruiser.mjs';
import { runCommand } from './run-command.ts';

/*
 * Checks the layers (docs/house-style.md, section 3) with dependency-cruiser. It imports a file of settings by a URL that
 * it does not escape, so in a clone whose path contains `#` it finds none; hence it is given them as JSON.
 */
const folder = await mkdtemp(join(tmpdir(), 'commonplace-layers-'));
try {
  const settings = join(folder, 'settings.json');
  await writeFile(settings, JSON.stringify(layerSettings));
  const sources = ['packages', 'services', 'testing', 'tools'];
  const { exitCode, output } = await runCommand('depcruise', [
    '--config',
    settings,
    '--',
    ...sources,
  ]);
  console.log(output.trimEnd());
  process.exitCode = exitCode;
} finally {
  await rm(folder, { recursive: true });
}
