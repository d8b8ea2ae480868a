import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root.ts';
import { findPrivateWords } from './words/find-private-words.ts';
import { privateWords } from './words/private-words.ts';

/*
 * Fails when a folder has more private words (docs/house-style.md, section 5) than words/maximum.json
 * allows; a folder that is not listed may have none. `--lower` writes the present numbers.
 */

const maximumFile = join(import.meta.dirname, 'words/maximum.json');
const notOurs =
  /\.(png|svg|ico|woff2|gz)$|pnpm-lock|^docs\/postmortems\/|\/migrations\/\d|^tools\/words\/|^docs\/performance\/plans/;

const listed = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  {
    cwd: repositoryRoot,
    encoding: 'utf8',
    maxBuffer: 1 << 24,
  },
);
const findings = [...new Set(listed.split('\0'))]
  .filter((file) => file !== '' && !notOurs.test(file))
  .flatMap((file) => findPrivateWords(file, textOf(file)));
const byFolder = Object.groupBy(findings, ({ file }) => folderOf(file));
const counts = Object.fromEntries(
  Object.entries(byFolder)
    .map(([folder, found = []]) => [folder, found.length] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1)),
);
if (process.argv.includes('--lower')) {
  writeFileSync(maximumFile, `${JSON.stringify(counts, null, 2)}\n`);
}
const maximum = JSON.parse(readFileSync(maximumFile, 'utf8')) as Readonly<Record<string, number>>;
for (const [folder, count] of Object.entries(counts)) {
  const max = maximum[folder] ?? 0;
  if (count > max) {
    process.exitCode = 1;
    console.log(`${folder} has ${count} private words, ${max} are allowed:`);
    for (const { file, line, word } of byFolder[folder] ?? []) {
      console.log(`  ${file}:${line}: ${word} (${privateWords[word]?.use})`);
    }
  }
}

/** `packages/http`, `docs/adr`, `docs`; `.` for files of the root. */
function folderOf(file: string): string {
  return file.split('/').slice(0, -1).slice(0, 2).join('/') || '.';
}

/** A file may be deleted and not yet committed. */
function textOf(file: string): string {
  try {
    return readFileSync(join(repositoryRoot, file), 'utf8');
  } catch {
    return '';
  }
}
