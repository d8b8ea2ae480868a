import { describe, expect, it } from '@jest/globals';
import type { NoteRevision, Undo, UndoneNote } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import { agentCaller, grant, operatorCaller } from '@commonplace/testkit';
import { aNoteId } from '../notes-world.ts';
import { undoToEnd } from '../undo-to-end.ts';
import { aTeam, undoWorld } from '../undo-world.ts';

const as = undoWorld();

const put = async (caller: Caller, id: string, content: string): Promise<void> => {
  const response = await as(caller).put(`/api/notes/${id}`).send({ content });
  expect([200, 201]).toContain(response.status);
};
const remove = (caller: Caller, id: string) => as(caller).delete(`/api/notes/${id}`).expect(204);

const undo = (operator: Caller, request: object): Promise<Undo> => undoToEnd(as(operator), request);

const baseOf = (result: Undo, id: string): UndoneNote['base'] | undefined =>
  result.notes.find(({ noteId }) => noteId === id)?.base;

const revisionOf = async (caller: Caller, id: string, revision: number): Promise<NoteRevision> =>
  (await as(caller).get(`/api/notes/${id}/revisions/${revision}`).expect(200)).body as NoteRevision;

describe('the version to which an undo takes a note back', () => {
  it('is named with its author, its time and the later versions of others, by the dry run and by the undo', async () => {
    const { agent, other, operator, run } = aTeam();
    const id = aNoteId();
    await put(other, id, 'first\n');
    await put(operator, id, 'one\n');
    await put(agent, id, 'one\ntwo\n');
    await put(agent, id, 'one\ntwo\nthree\n');
    await put(other, id, 'one\ntwo\nthree\nfour\n');
    await put(agent, id, 'one\ntwo\nthree\nfour\nfive\n');
    const { createdAt, createdBy } = await revisionOf(other, id, 2);
    const base = { revision: 2, createdAt, createdBy, othersSince: 1 };
    expect(createdBy).toEqual({ kind: 'operator', id: operator.operatorId });
    expect(baseOf(await undo(operator, { runId: run, dryRun: true }), id)).toEqual(base);
    expect(baseOf(await undo(operator, { runId: run }), id)).toEqual(base);
    const { content } = await revisionOf(other, id, 7);
    expect(content).toBe('one\nfour\n');
  });

  it('has the key, the run and the undo it was written with', async () => {
    const { agent, other, operator, run } = aTeam();
    const id = aNoteId();
    await put(other, id, 'one\n');
    await put(agent, id, 'one\ntwo\n');
    const first = await undo(operator, { runId: run });
    expect(baseOf(first, id)?.createdBy).toEqual({
      kind: 'agent',
      id: other.agentId,
      keyId: other.keyId,
    });
    const second = await undo(operator, { undoId: first.id });
    expect(baseOf(second, id)).toMatchObject({
      revision: 2,
      createdBy: { kind: 'agent', id: agent.agentId, runId: run },
      othersSince: 0,
    });
    const third = await undo(operator, { undoId: second.id });
    expect(baseOf(third, id)).toMatchObject({ revision: 3, createdBy: { via: 'undo' } });
  });

  it('is the last text of a note that the source only deleted, and the one before its text if it wrote one', async () => {
    const { agent, other, operator, run } = aTeam();
    const [deleted, written] = [aNoteId(), aNoteId()];
    for (const id of [deleted, written]) {
      await put(other, id, 'one\n');
      await put(other, id, 'one\ntwo\n');
    }
    await put(agent, written, 'nonsense\n');
    await remove(agent, deleted);
    await remove(agent, written);
    const { notes } = await undo(operator, { runId: run, dryRun: true });
    expect(notes.map(({ outcome, base }) => [outcome, base?.revision])).toEqual([
      ['restored', 2],
      ['restored', 2],
    ]);
  });

  it('is named where others built on all of it, so that a person can compare', async () => {
    const { agent, other, operator, run } = aTeam();
    const id = aNoteId();
    await put(other, id, 'one\n');
    await put(agent, id, 'two\n');
    await put(other, id, 'two and more\n');
    const result = await undo(operator, { runId: run, dryRun: true });
    expect(result.notes[0]).toMatchObject({
      outcome: 'kept',
      base: { revision: 1, createdBy: { id: other.agentId }, othersSince: 1 },
    });
  });

  it('is null where the source created the note, or nothing of it is left', async () => {
    const { agent, other, operator, run } = aTeam();
    const [removed, kept, unchanged] = [aNoteId(), aNoteId(), aNoteId()];
    await put(agent, removed, 'nonsense');
    await put(agent, kept, 'a start\n');
    await put(other, kept, 'a start\nand more\n');
    await put(other, unchanged, 'one\n');
    await put(agent, unchanged, 'two\n');
    await put(other, unchanged, 'one\n');
    const result = await undo(operator, { runId: run, dryRun: true });
    expect(result.outcomes).toMatchObject({ removed: 1, kept: 1, unchanged: 1 });
    expect(result.notes.map(({ base }) => base)).toEqual([null, null, null]);
  });

  it('is read neither by another company or a viewer nor by an agent, whatever its key grants', async () => {
    const { company, agent, other, operator, run } = aTeam();
    const id = aNoteId();
    await put(other, id, 'one\n');
    await put(agent, id, 'two\n');
    const { id: undoId } = await undo(operator, { runId: run, dryRun: true });
    const granted = agentCaller({
      companyId: company,
      grants: [{ folder: '', scope: 'any', mode: 'direct' }],
    });
    const viewer = operatorCaller({ companies: [grant(company, 'viewer')] });
    for (const caller of [aTeam().operator, viewer, agent, granted, other]) {
      const { body } = await as(caller).get(`/api/notes/undo/${undoId}`).expect(403);
      expect(JSON.stringify(body)).not.toContain(other.agentId);
    }
  });
});
