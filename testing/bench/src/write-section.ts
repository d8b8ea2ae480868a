import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const page = join(import.meta.dirname, '../../../docs/performance.md');

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` in docs/performance.md. */
export const writeSection = (name: string, text: string): void => {
  const before = readFileSync(page, 'utf8');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [head, rest] = before.split(begin);
  const tail = rest?.split(end)[1];
  if (head === undefined || tail === undefined) {
    throw new Error(`docs/performance.md has no section ${name}`);
  }
  writeFileSync(page, `${head}${begin}\n\n${text.trim()}\n\n${end}${tail}`);
};
