import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startNotesEnvironment, type NotesEnvironment } from './notes-environment.ts';

let environment: NotesEnvironment;
beforeAll(async () => {
  environment = await startNotesEnvironment();
}, 120_000);
afterAll(() => environment.stop());

const json = (text: string): unknown => JSON.parse(text);

describe('commonplace notes delete and restore', () => {
  it('delete a note at its revision, and bring it back by the name that it had', async () => {
    const { run, notes } = await environment.company();
    await run(['notes', 'write', 'projects/Plan', '--text', 'one']);
    const { id } = json((await run(['notes', 'read', 'Plan', '--json'])).stdout) as { id: string };
    const stale = await run(['notes', 'delete', 'Plan', '--revision', '2', '--json']);
    expect([stale.code, json(stale.stderr)]).toMatchObject([
      4,
      { error: { code: 'precondition_failed' } },
    ]);
    const deleted = await run(['notes', 'delete', 'projects/Plan', '-r', '1']);
    expect([deleted.code, deleted.stderr]).toEqual([0, expect.stringContaining(`restore ${id}`)]);
    expect(await notes()).toEqual([]);
    expect((await run(['notes', 'delete', 'Plan'])).code).toBe(3);
    for (const name of ['elsewhere/Plan', 'Other']) {
      expect((await run(['notes', 'restore', name])).code).toBe(3);
    }
    const restored = await run(['notes', 'restore', 'projects/Plan']);
    expect(restored.stderr).toBe('commonplace: restored projects/Plan: revision 3\n');
    expect((await run(['notes', 'read', 'projects/Plan'])).stdout).toBe('one\n');
    const again = await run(['notes', 'restore', 'Plan']);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('nothing changed')]);
  });

  it('of a version makes it the newest, and of several deleted notes none without its id', async () => {
    const { run } = await environment.company();
    await run(['notes', 'write', 'Plan', '--text', 'one']);
    await run(['notes', 'append', 'Plan', '--text', 'two']);
    const first = json((await run(['notes', 'restore', 'Plan', '-r', '1', '--json'])).stdout);
    expect(first).toMatchObject({ revision: 3, restored: true });
    const { id } = first as { id: string };
    expect(json((await run(['notes', 'delete', 'Plan', '--json'])).stdout)).toEqual({
      id,
      deleted: true,
    });
    await run(['notes', 'write', 'Plan', '--text', 'another']);
    await run(['notes', 'delete', 'Plan']);
    const ambiguous = await run(['notes', 'restore', 'Plan']);
    expect([ambiguous.code, ambiguous.stderr]).toEqual([4, expect.stringContaining(id)]);
    expect((await run(['notes', 'restore', id])).code).toBe(0);
    expect((await run(['notes', 'read', 'Plan'])).stdout).toBe('one\n');
  });
});
