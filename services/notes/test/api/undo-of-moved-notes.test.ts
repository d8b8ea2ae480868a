import { describe, expect, it } from '@jest/globals';
import type { NoteData, NoteId, Undo, UndoneNote } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import { aNoteId } from '../notes-world.ts';
import { undoToEnd } from '../undo-to-end.ts';
import { aTeam, undoWorld } from '../undo-world.ts';

const as = undoWorld();

const rogue = { title: 'Rogue', folder: 'rogue', content: '# Rogue\nbuy crypto\n', tags: ['hot'] };

const put = async (caller: Caller, id: NoteId, note: object): Promise<void> => {
  const response = await as(caller).put(`/api/notes/${id}`).send(note);
  expect([200, 201]).toContain(response.status);
};
/** Changes some fields, as a client does that has read the note. */
const change = async (caller: Caller, id: NoteId, fields: Partial<NoteData>): Promise<void> => {
  const { body } = await as(caller).get(`/api/notes/${id}`).expect(200);
  await put(caller, id, { ...(body as NoteData), ...fields });
};
const remove = (caller: Caller, id: NoteId) => as(caller).delete(`/api/notes/${id}`).expect(204);
const restore = (caller: Caller, id: NoteId) =>
  as(caller).post(`/api/notes/${id}/restore`).send({}).expect(200);
const read = async (caller: Caller, id: NoteId): Promise<NoteData | null> => {
  const response = await as(caller).get(`/api/notes/${id}`);
  return response.status === 200 ? (response.body as NoteData) : null;
};

const undo = (operator: Caller, request: object): Promise<Undo> => undoToEnd(as(operator), request);
const outcomesOf = ({ notes }: Undo) =>
  notes.map(({ noteId, outcome, lines, fields }: UndoneNote) => ({
    noteId,
    outcome,
    lines,
    fields,
  }));

describe('the undo of new notes in which others changed no word', () => {
  it('removes them, moved, archived, tagged, or deleted and restored, as its dry run says, and is undone', async () => {
    const { run, agent, operator } = aTeam();
    const touches: readonly ((id: NoteId) => Promise<unknown>)[] = [
      (id) => change(operator, id, { folder: 'quarantine' }),
      (id) => change(operator, id, { archived: true }),
      (id) => change(operator, id, { pinned: true, tags: ['hot', 'suspicious'] }),
      (id) => change(operator, id, { properties: { checked: true } }),
      async (id) => {
        await remove(operator, id);
        await restore(operator, id);
      },
      async (id) => {
        await change(operator, id, { folder: 'quarantine' });
        await change(agent, id, { content: '# Rogue\nbuy crypto\nnow\n', archived: true });
        await remove(operator, id);
        await restore(operator, id);
      },
    ];
    const ids = touches.map(aNoteId);
    for (const [index, touch] of touches.entries()) {
      const id = ids[index] ?? aNoteId();
      await put(agent, id, rogue);
      await touch(id);
    }
    const before = await Promise.all(ids.map((id) => read(operator, id)));

    const dry = await undo(operator, { runId: run, dryRun: true });
    expect(dry.outcomes).toMatchObject({ removed: ids.length, kept: 0, partly: 0 });
    expect(dry.notes.map(({ base, lines }) => [base, lines])).toEqual(ids.map(() => [null, []]));

    const undone = await undo(operator, { runId: run });
    expect(outcomesOf(undone)).toEqual(outcomesOf(dry));
    expect(await Promise.all(ids.map((id) => read(operator, id)))).toEqual(ids.map(() => null));
    expect((await undo(operator, { runId: run })).outcomes).toMatchObject({
      unchanged: ids.length,
    });

    const back = await undo(operator, { undoId: undone.id });
    expect(back.outcomes).toMatchObject({ restored: ids.length });
    const after = await Promise.all(ids.map((id) => read(operator, id)));
    for (const [index, note] of after.entries()) {
      const { content, folder, tags, archived, properties } = before[index] ?? {};
      expect(note).toMatchObject({ content, folder, tags, archived, properties });
    }
    expect((await undo(operator, { runId: run })).outcomes).toMatchObject({ removed: ids.length });
  });

  it('leaves those that others deleted, and lines and titles of others', async () => {
    const { run, agent, other, operator } = aTeam();
    const [deleted, built, titled] = [aNoteId(), aNoteId(), aNoteId()];
    for (const id of [deleted, built, titled]) {
      await put(agent, id, rogue);
    }
    await remove(operator, deleted);
    await change(operator, built, { folder: 'quarantine' });
    await change(other, built, { content: `${rogue.content}and more\n` });
    await change(operator, titled, { title: 'Nonsense', folder: 'quarantine' });
    const dry = await undo(operator, { runId: run, dryRun: true });
    const result = await undo(operator, { runId: run });
    expect(outcomesOf(result)).toEqual(outcomesOf(dry));
    expect(result.outcomes).toMatchObject({ unchanged: 1, kept: 1, partly: 1 });
    expect(await read(operator, deleted)).toBeNull();
    expect(await read(operator, built)).toMatchObject({
      content: `${rogue.content}and more\n`,
      folder: 'quarantine',
    });
    expect(await read(operator, titled)).toMatchObject({
      title: 'Nonsense',
      content: '',
      folder: 'quarantine',
      tags: [],
    });
    await undo(operator, { undoId: result.id });
    expect(await read(operator, titled)).toMatchObject({
      ...rogue,
      title: 'Nonsense',
      folder: 'quarantine',
    });
  });
});

describe('the undo of edits between which others moved the note', () => {
  it('takes all of them out of the text, and leaves the folder of others', async () => {
    const { run, agent, other, operator } = aTeam();
    const id = aNoteId();
    await put(other, id, { title: 'T', content: 'one\n' });
    await change(agent, id, { content: 'one\nTWO\n' });
    await change(operator, id, { folder: 'moved' });
    await change(agent, id, { content: 'one\nTWO!\n', archived: true });
    await remove(operator, id);
    await restore(operator, id);
    const result = await undo(operator, { runId: run });
    expect(outcomesOf(result)).toEqual([{ noteId: id, outcome: 'undone', lines: [], fields: [] }]);
    expect(await read(operator, id)).toMatchObject({
      content: 'one\n',
      folder: 'moved',
      archived: false,
    });
  });
});

describe('the undo of a deletion that the source took back itself', () => {
  it('leaves the note of others', async () => {
    const { run, agent, other, operator } = aTeam();
    const id = aNoteId();
    await put(other, id, { title: 'T', content: 'one\n' });
    await remove(agent, id);
    await restore(agent, id);
    expect((await undo(operator, { runId: run })).outcomes).toMatchObject({ unchanged: 1 });
    expect(await read(operator, id)).toMatchObject({ title: 'T', content: 'one\n' });
  });
});
