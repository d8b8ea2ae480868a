import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { seededBugs } from './seeded-bugs.ts';

const root = join(import.meta.dirname, '../../..');
const edits = seededBugs.flatMap(({ name, edits }) => edits.map((edit) => ({ name, ...edit })));

it.each(edits)('the text that the seeded bug $name replaces occurs once in $file', (edit) => {
  const source = readFileSync(join(root, edit.file), 'utf8');
  expect(source.split(edit.find)).toHaveLength(2);
});
