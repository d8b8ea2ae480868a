import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { describeSummary } from '../src/sync/sync-summary.ts';
import { createEnvironment, removeFolders } from './folder-environment.ts';

afterEach(removeFolders);

const none = { created: 0, changed: 0, deleted: 0 };

describe('what a synchronisation counts as sent', () => {
  it('is what the server has taken: created, changed, moved and deleted', async () => {
    const { root, syncOnce, write } = await createEnvironment();
    await write('A.md', 'a\n');
    await write('B.md', 'b\n');
    await write('C.md', 'c\n');
    expect((await syncOnce()).sent).toEqual({ ...none, created: 3 });
    await write('A.md', 'a\nmore\n');
    await rename(join(root, 'B.md'), join(root, 'D.md'));
    await rm(join(root, 'C.md'));
    const summary = await syncOnce();
    expect(summary).toMatchObject({ sent: { created: 0, changed: 1, deleted: 1 }, moved: 1 });
    expect(describeSummary(summary)[0]).toBe('sent 1 changed, 1 deleted; 1 moved');
  });

  it('has nothing of what the server refuses, of the run that is allowed again what it takes', async () => {
    const { root, server, syncOnce, write } = await createEnvironment();
    await write('A.md', 'a\n');
    await write('B.md', 'b\n');
    await write('C.md', 'c\n');
    await syncOnce();
    server.rejects = () => true;
    server.rejectsWith = 'folder_not_granted';
    await write('A.md', 'a\nmore\n');
    await write('New.md', 'new\n');
    await rename(join(root, 'B.md'), join(root, 'D.md'));
    await rm(join(root, 'C.md'));
    const summary = await syncOnce();
    expect(summary).toMatchObject({ sent: none, moved: 0, newlyProposed: 0 });
    expect(describeSummary(summary)[0]).not.toContain('sent');
    server.rejects = () => false;
    expect((await syncOnce()).sent).toEqual({ ...none, created: 1, changed: 2 });
  });

  it('has no proposals, which have a count of their own, in the run that proposes them', async () => {
    const { server, syncOnce, withFolder, write } = await createEnvironment({ proposals: true });
    await write('Plan.md', 'one\n');
    await syncOnce();
    server.proposes = () => true;
    await write('Plan.md', 'one\ntwo\n');
    await write('New.md', 'new\n');
    await withFolder(async (look) => {
      const summary = await look();
      expect(summary).toMatchObject({ sent: none, newlyProposed: 2 });
      expect(describeSummary(summary)[0]).toBe('2 proposed');
      const next = await look();
      expect(next).toMatchObject({ sent: none, newlyProposed: 0 });
      expect(describeSummary(next)[0]).toBe('nothing to do');
    });
  });

  it('has what a restored server had lost and gets again', async () => {
    const { server, syncOnce, write } = await createEnvironment();
    let nowMs = Date.parse('2026-06-01T00:00:00.000Z');
    server.now = () => new Date(nowMs);
    await write('Plan.md', 'first\n');
    await syncOnce();
    nowMs += 3_600_000;
    const restore = server.backup();
    await write('New.md', 'written after the backup\n');
    await write('Plan.md', 'first\nsecond\n');
    await syncOnce();
    nowMs += 3_600_000;
    await syncOnce();
    restore();
    nowMs += 3_600_000;
    const summary = await syncOnce();
    expect(summary).toMatchObject({
      isServerRestored: true,
      sent: { created: 1, changed: 1, deleted: 0 },
    });
  });
});
