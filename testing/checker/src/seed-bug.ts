import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { seededBugs } from './seeded-bugs.ts';

/*
 * Loaded into a notes process with `--import`: replaces a module by one with a bug, whose name is in a file, so that a
 * process that is started again may have another. The service has no switch for this, so it cannot be enabled in production.
 */

// oxlint-disable-next-line node/no-process-env -- a preloaded module has no other input.
const seeded = readFileSync(process.env['SEEDED_BUG_FILE'] ?? '', 'utf8');
const bug = seededBugs.find(({ name }) => name === seeded);
if (!bug) {
  throw new Error('SEEDED_BUG_FILE does not contain the name of a bug');
}

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    const path = url.startsWith('file:') ? fileURLToPath(url) : '';
    const edits = bug.edits.filter(({ file }) => path.endsWith(`/${file}`));
    if (edits.length === 0) {
      return loaded;
    }
    return { ...loaded, source: edits.reduce(applyEdit, textOf(loaded.source)) };
  },
});

function applyEdit(
  source: string,
  { file, find, put }: (typeof seededBugs)[number]['edits'][number],
) {
  if (source.split(find).length !== 2) {
    throw new Error(
      `${file} must contain the text that the seeded bug replaces exactly once: ${find}`,
    );
  }
  return source.replace(find, () => put);
}

function textOf(source: unknown): string {
  return typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString();
}
