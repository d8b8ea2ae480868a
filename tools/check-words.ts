import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './repository-root.ts';
import { findPrivateWords } from './words/find-private-words.ts';
import { privateWords } from './words/private-words.ts';

/* Fails when a file has a private word (docs/house-style.md, section 5). */

const notOurs =
  /\.(png|svg|ico|woff2|gz)$|pnpm-lock|^docs\/postmortems\/|\/migrations\/\d|^tools\/words\/|^docs\/performance\/plans/;

const listed = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  { cwd: repositoryRoot, encoding: 'utf8', maxBuffer: 1 << 24 },
);
const findings = [...new Set(listed.split('\0'))]
  .filter((file) => file !== '' && !notOurs.test(file))
  .flatMap((file) => findPrivateWords(file, textOf(file)));
for (const { file, line, word } of findings) {
  process.exitCode = 1;
  console.log(`${file}:${line}: ${word} (use ${privateWords[word]?.use})`);
}

/** A file may be deleted and not yet committed. */
function textOf(file: string): string {
  try {
    return readFileSync(join(repositoryRoot, file), 'utf8');
  } catch {
    return '';
  }
}
