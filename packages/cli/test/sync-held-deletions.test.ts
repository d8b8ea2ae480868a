import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createWatchLog } from '../src/sync/watch-log.ts';
import { createEnvironment, problemsOf, removeFolders } from './folder-environment.ts';

afterEach(removeFolders);

const unconfirmed = { mayDeleteMany: false };
const names = Array.from({ length: 12 }, (_, index) => `N${index}`);
const held = (gone: number, all: number) => [
  expect.stringContaining(`.: ${gone} of ${all} files are missing. Their notes are not deleted`),
];

/** A synchronised folder of 12 files, of which all but the first were removed. */
const createEmptied = async () => {
  const environment = await createEnvironment();
  const { root, write, syncOnce } = environment;
  await Promise.all(names.map((name) => write(`${name}.md`, `${name}\n`)));
  await syncOnce();
  await Promise.all(names.slice(1).map((name) => rm(join(root, `${name}.md`))));
  const files = async () => (await readdir(root)).filter((name) => name.endsWith('.md')).toSorted();
  return { ...environment, files };
};

describe('--delete where most files are missing', () => {
  it('holds back the deletions only: the rest is sent and received, and every run says what to do', async () => {
    const { write, withFolder, agentWrites, titles, files } = await createEmptied();
    await write('N0.md', 'edited\n');
    await agentWrites({ title: 'Received', content: 'of the agent\n' });
    const first = await withFolder((look) => look(unconfirmed));
    expect(first).toMatchObject({
      heldBack: 11,
      sent: { created: 0, changed: 1, deleted: 0 },
      received: { created: 1, changed: 0, deleted: 0 },
      missing: [],
    });
    expect(problemsOf(first)).toEqual(held(11, 12));
    expect(problemsOf(await withFolder((look) => look(unconfirmed)))).toEqual(held(11, 12));
    expect(titles()).toEqual([...names, 'Received'].toSorted());
    expect(await files()).toEqual(['N0.md', 'Received.md']);
    expect((await withFolder((look) => look())).sent.deleted).toBe(11);
    expect(titles()).toEqual(['N0', 'Received']);
  });

  it('deletes no note because files were added since, which make the missing ones a smaller share', async () => {
    const { write, withFolder, titles } = await createEmptied();
    await withFolder((look) => look(unconfirmed));
    await Promise.all(
      names.flatMap((name) =>
        [0, 1, 2, 3].map((no) => write(`x/${name}-${no}.md`, `${name} ${no}\n`)),
      ),
    );
    await withFolder(async (look) => {
      for (let count = 0; count < 3; count += 1) {
        const summary = await look({ ...unconfirmed, isWatching: true });
        expect(summary.sent.deleted).toBe(0);
      }
      expect(problemsOf(await look(unconfirmed))).toEqual(held(11, 12));
    });
    expect(titles()).toHaveLength(12 + 48);
  });

  it('restores them without --delete, and then deletes one file as ever', async () => {
    const { root, withFolder, titles, files } = await createEmptied();
    await withFolder((look) => look(unconfirmed));
    const restored = await withFolder((look) => look({ mayDelete: false, mayDeleteMany: false }));
    expect([restored.heldBack, restored.missing.length]).toEqual([0, 11]);
    expect(await files()).toHaveLength(12);
    await rm(join(root, 'N3.md'));
    expect((await withFolder((look) => look(unconfirmed))).sent.deleted).toBe(1);
    expect(titles()).toEqual(names.filter((name) => name !== 'N3').toSorted());
  });

  it('is said once by a watch', async () => {
    const { withFolder } = await createEmptied();
    const lines: string[] = [];
    await withFolder(async (look) => {
      const rule = { ...unconfirmed, isWatching: true };
      const log = createWatchLog((line) => lines.push(line), await look(rule));
      for (let count = 0; count < 3; count += 1) {
        log.logSummary(await look(rule));
      }
    });
    expect(lines.filter((line) => line.includes('files are missing'))).toHaveLength(1);
  });
});
