import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  connectionId,
  newId,
  runId,
  undoId,
  type CompanyId,
  type Undo,
  type UndoneNote,
} from '@commonplace/contracts';
import { write } from '@commonplace/db';
import type { Caller } from '@commonplace/identity';
import { agentCaller, grant, operatorCaller } from '@commonplace/testkit';
import { storedBudget } from '../../src/limits/stored-budget.ts';
import { pruneRevisions } from '../../src/maintenance/purge.ts';
import { runUndo, type UndoDeps } from '../../src/undo/run-undo.ts';
import { claimUndo } from '../claim-undo.ts';
import { aCompany, aNoteId, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { startWorkers } from '../start-workers.ts';
import { putOf, syncClient } from '../sync-client.ts';
import { undoToEnd, untilUndo } from '../undo-to-end.ts';

let world: NotesWorld;
let stopWorkers: () => Promise<void>;
const stops: unknown[] = [];

beforeAll(async () => {
  world = await createNotesWorld({
    stopSource: async (stop) => {
      stops.push(stop);
      return { agentId: null, isPaused: false };
    },
  });
  stopWorkers = startWorkers(world);
});

afterAll(async () => {
  await stopWorkers();
  await world.close();
});

/** A company with an agent whose run is undone, another writer, and an operator. */
const aTeam = (company: CompanyId = aCompany()) => {
  const run = runId.parse(newId());
  const agent = agentCaller({ companyId: company, runId: run, keyId: null });
  const other = agentCaller({ companyId: company });
  const operator = operatorCaller({ companies: [grant(company, 'operator')] });
  return { company, run, agent, other, operator };
};

const put = async (caller: Caller, id: string, note: object): Promise<void> => {
  const response = await world.as(caller).put(`/api/notes/${id}`).send(note);
  expect([200, 201]).toContain(response.status);
};
const edit = (caller: Caller, id: string, [find, replacement]: readonly [string, string]) =>
  world
    .as(caller)
    .patch(`/api/notes/${id}`)
    .send({ edits: [{ op: 'replace', find, with: replacement }] })
    .expect(200);
const contentOf = async (caller: Caller, id: string): Promise<string | null> => {
  const response = await world.as(caller).get(`/api/notes/${id}`);
  return response.status === 200 ? (response.body as { content: string }).content : null;
};

const undo = (operator: Caller, request: object): Promise<Undo> =>
  undoToEnd(world.as(operator), request);
const noteOf = (result: Undo, id: string): UndoneNote => {
  const note = result.notes.find(({ noteId }) => noteId === id);
  if (!note) {
    throw new Error('The undo does not list the note');
  }
  return note;
};

describe('POST /api/notes/undo', () => {
  it('takes back what a run wrote, note by note, and loses nothing of others', async () => {
    const { agent, other, operator, run } = aTeam();
    const [undone, partly, removed, kept] = [aNoteId(), aNoteId(), aNoteId(), aNoteId()];
    const [restored, unchanged, overlapped, untouched] = [
      aNoteId(),
      aNoteId(),
      aNoteId(),
      aNoteId(),
    ];
    const before = { title: 'T', content: 'one\ntwo\nthree\n', tags: ['a'] };
    for (const id of [undone, partly, restored, unchanged, overlapped, untouched]) {
      await put(other, id, before);
    }
    const wrong = { title: 'wrong', content: 'zero\none\nTWO\nthree\nfour\n', tags: ['b'] };
    for (const id of [undone, partly, unchanged, overlapped]) {
      await put(agent, id, wrong);
    }
    await put(agent, removed, { content: 'nonsense' });
    await put(agent, kept, { content: 'a start\n' });
    await world.as(agent).delete(`/api/notes/${restored}`).expect(204);
    await edit(other, undone, ['four\n', 'four\nfive\n']);
    await edit(other, partly, ['TWO', 'TWO and more']);
    await put(other, unchanged, before);
    await put(other, overlapped, {
      ...wrong,
      title: 'theirs',
      content: 'all of it is new\n',
    });
    await edit(other, kept, ['a start\n', 'a start\nand more\n']);

    const dry = await undo(operator, { runId: run, dryRun: true });
    expect(dry).toMatchObject({
      status: 'succeeded',
      dryRun: true,
      progress: { done: 7, total: 7 },
    });
    expect(noteOf(dry, undone)).toMatchObject({ outcome: 'undone', revision: null });
    expect(noteOf(dry, undone).diff).toContain('-zero');
    expect(await contentOf(other, removed)).toBe('nonsense');
    expect(stops.at(-1)).toMatchObject({ dryRun: true, pause: true, source: { runId: run } });

    const result = await undo(operator, { runId: run });
    const outcome = (id: string) => noteOf(result, id).outcome;
    expect([undone, partly, removed, kept, restored, unchanged, overlapped].map(outcome)).toEqual([
      'undone',
      'partly',
      'removed',
      'kept',
      'restored',
      'unchanged',
      'partly',
    ]);
    expect(result.outcomes).toEqual({
      undone: 1,
      partly: 2,
      removed: 1,
      kept: 1,
      restored: 1,
      unchanged: 1,
      base_purged: 0,
    });
    expect(await contentOf(other, undone)).toBe('one\ntwo\nthree\nfive\n');
    expect(await contentOf(other, partly)).toBe('one\nTWO and more\nthree\n');
    expect(noteOf(result, partly).lines).toEqual(['TWO']);
    expect(await contentOf(other, removed)).toBeNull();
    expect(await contentOf(other, kept)).toBe('a start\nand more\n');
    expect(noteOf(result, kept).lines).toEqual(['a start']);
    expect(await contentOf(other, restored)).toBe(before.content);
    expect(await contentOf(other, overlapped)).toBe('all of it is new\n');
    expect(noteOf(result, overlapped)).toMatchObject({ fields: ['title'] });

    const { body } = await world.as(other).get(`/api/notes/${undone}/revisions`).expect(200);
    expect((body as { items: unknown[] }).items[0]).toMatchObject({
      revision: 4,
      title: 'T',
      tags: ['a'],
      createdBy: { kind: 'operator', id: operator.operatorId, via: 'undo' },
      undoes: { undoId: result.id, revisions: [2] },
    });

    expect(noteOf(result, undone).title).toBe('T');

    const again = await undo(operator, { runId: run });
    expect(again.outcomes).toMatchObject({ undone: 0, removed: 0, restored: 0, partly: 0 });
  });

  it('a dry run has the present title and the diff of each field, the undo the title it brought back', async () => {
    const { agent, other, operator, run } = aTeam();
    const [named, written] = [aNoteId(), aNoteId()];
    const before = { title: 'Right', folder: 'good', content: 'one\n', tags: ['a'] };
    await put(other, named, before);
    await put(other, written, before);
    await put(agent, named, { ...before, title: 'Wrong', folder: 'bad', tags: ['b'] });
    await put(agent, written, { ...before, content: 'one\ntwo\n' });
    const dry = await undo(operator, { runId: run, dryRun: true });
    expect(noteOf(dry, named)).toMatchObject({ title: 'Wrong', folder: 'bad' });
    const diff = noteOf(dry, named).diff ?? '';
    expect(diff).toMatch(
      /^--- title\n\+\+\+ title\n@@ -1,1 \+1,1 @@\n-Wrong\n\+Right\n--- folder\n/,
    );
    expect(diff).toContain('+++ tags\n');
    expect(diff).not.toContain('content');
    expect(noteOf(dry, written).diff).toBe('@@ -1,2 +1,1 @@\n one\n-two\n');
    const result = await undo(operator, { runId: run });
    expect(noteOf(result, named)).toMatchObject({ title: 'Right', folder: 'good', diff: null });
  });

  it('a line that another wrote again after an undo stays at the next one', async () => {
    const { agent, other, operator, run } = aTeam();
    const id = aNoteId();
    await put(other, id, { content: 'one\n' });
    await put(agent, id, { content: 'one\nidea\n' });
    await undo(operator, { runId: run });
    await put(other, id, { content: 'one\nidea\n' });
    expect(noteOf(await undo(operator, { runId: run }), id).outcome).toBe('unchanged');
    expect(await contentOf(other, id)).toBe('one\nidea\n');
  });

  it('an undo is undone, and the undo of that is one as well', async () => {
    const { agent, other, operator, run } = aTeam();
    const [id, made] = [aNoteId(), aNoteId()];
    await put(other, id, { content: 'one\n' });
    await put(agent, id, { content: 'one\nidea\n' });
    await put(agent, made, { content: 'made\n' });
    const first = await undo(operator, { runId: run });
    await edit(other, id, ['one\n', 'one\nmore\n']);
    const second = await undo(operator, { undoId: first.id });
    expect(second.outcomes).toMatchObject({ undone: 1, restored: 1 });
    expect(await contentOf(other, id)).toBe('one\nidea\nmore\n');
    expect(await contentOf(other, made)).toBe('made\n');
    const third = await undo(operator, { undoId: second.id });
    expect(third.outcomes).toMatchObject({ undone: 1, removed: 1 });
    expect(await contentOf(other, id)).toBe('one\nmore\n');
    expect(await contentOf(other, made)).toBeNull();
  });

  it("what an undo of an undo brought back is the source's again: a text, a new note, a deletion", async () => {
    const { agent, other, operator, run } = aTeam();
    const [written, made, deleted] = [aNoteId(), aNoteId(), aNoteId()];
    await put(other, written, { content: 'one\n' });
    await put(other, deleted, { content: 'kept\n' });
    await put(agent, written, { content: 'one\nbad\n' });
    await put(agent, made, { content: 'made\n' });
    await world.as(agent).delete(`/api/notes/${deleted}`).expect(204);
    const contents = () => Promise.all([written, made, deleted].map((id) => contentOf(other, id)));
    for (const round of [1, 2]) {
      const taken = await undo(operator, { runId: run });
      expect([round, taken.outcomes]).toMatchObject([
        round,
        { undone: 1, removed: 1, restored: 1 },
      ]);
      expect(await contents()).toEqual(['one\n', null, 'kept\n']);
      expect((await undo(operator, { runId: run })).outcomes).toMatchObject({ unchanged: 3 });
      await undo(operator, { undoId: taken.id });
      expect(await contents()).toEqual(['one\nbad\n', 'made\n', null]);
    }
  });

  it('after an undo of more than the source was undone, nothing of others is taken out', async () => {
    const { agent, other, operator, run } = aTeam();
    const since = new Date(Date.now() - 60_000).toISOString();
    const colleague = { ...agent, runId: runId.parse(newId()) };
    const [both, made] = [aNoteId(), aNoteId()];
    await put(other, both, { content: 'one\n' });
    await put(agent, both, { content: 'one\nof the run\n' });
    await put(colleague, both, { content: 'one\nof the run\nof another run\n' });
    await put(colleague, made, { content: 'of another run\n' });
    await put(agent, made, { content: 'of another run\nof the run\n' });
    const wide = await undo(operator, { agentId: agent.agentId, since });
    expect([await contentOf(other, both), await contentOf(other, made)]).toEqual(['one\n', null]);
    await undo(operator, { undoId: wide.id });
    await undo(operator, { runId: run });
    expect(await contentOf(other, both)).toContain('of another run\n');
    expect(await contentOf(other, made)).toContain('of another run\n');
  });

  it('takes out of a note with more than 1,000 versions of the source what it was said to, and once', async () => {
    const { agent, other, operator, run } = aTeam();
    const id = aNoteId();
    await put(other, id, { content: 'one\n' });
    const lines = Array.from({ length: 1_060 }, (_, index) => `line ${index}\n`);
    const changes = lines.map((_, index) =>
      putOf(
        { content: ['one\n', ...lines.slice(0, index + 1)].join('') },
        { id, baseRevision: index + 1 },
      ),
    );
    for (const part of [changes.slice(0, 400), changes.slice(400, 800), changes.slice(800)]) {
      const { results } = await syncClient(world, agent).push(...part);
      expect(results.filter(({ status }) => status !== 'applied')).toEqual([]);
    }
    const first = noteOf(await undo(operator, { runId: run }), id);
    expect(first.undoes).toHaveLength(1_000);
    await put(other, id, { content: 'one\nline 3\n' });
    expect(noteOf(await undo(operator, { runId: run }), id).outcome).toBe('unchanged');
    expect(await contentOf(other, id)).toBe('one\nline 3\n');
  });

  it('undoes only the notes that are named, and what came with a key or from an agent in a time', async () => {
    const { other, operator, company } = aTeam();
    const [one, two] = [aNoteId(), aNoteId()];
    await put(other, one, { content: 'a' });
    await put(other, two, { content: 'b' });
    const byKey = await undo(operator, { keyId: other.keyId, noteIds: [one] });
    expect(byKey.notes.map(({ noteId }) => noteId)).toEqual([one]);
    const since = new Date(Date.now() - 60_000).toISOString();
    const none = await undo(operator, { agentId: other.agentId, since, until: since });
    expect(none.progress.total).toBe(0);
    const byAgent = await undo(operator, { agentId: other.agentId, since });
    expect(noteOf(byAgent, two).outcome).toBe('removed');
    expect(noteOf(byAgent, one).outcome).toBe('unchanged');
    expect(await contentOf(agentCaller({ companyId: company }), two)).toBeNull();
  });

  it('undoes what a connection wrote, and nothing else of its agent', async () => {
    const { other, operator } = aTeam();
    const connection = {
      id: connectionId.parse(newId()),
      client: { id: 'client', name: 'Claude', host: 'claude.ai' },
    };
    const connected = { ...other, keyId: null, connection };
    const [one, two] = [aNoteId(), aNoteId()];
    await put(connected, one, { content: 'a' });
    await put(other, two, { content: 'b' });
    const { notes } = await undo(operator, { connectionId: connection.id });
    expect(notes.map(({ noteId }) => noteId)).toEqual([one]);
    expect([await contentOf(other, one), await contentOf(other, two)]).toEqual([null, 'b']);
  });

  it.each([
    [{}, '/runId'],
    [{ runId: newId(), keyId: newId() }, '/keyId'],
    [{ agentId: newId() }, '/since'],
    [{ runId: newId(), unknown: 1 }, ''],
    [{ runId: newId(), since: '0000-02-29T00:00:00.000Z' }, '/since'],
    [{ runId: newId(), until: '0000-01-01T00:00:00.000Z' }, '/until'],
    [{ runId: newId(), until: '10000-01-01T00:00:00.000Z' }, '/until'],
  ])('%j is 400', async (request, path) => {
    const { operator } = aTeam();
    const { body } = await world.as(operator).post('/api/notes/undo').send(request).expect(400);
    expect((body as { errors: { path: string }[] }).errors.map((error) => error.path)).toEqual([
      path,
    ]);
  });

  it('an undo of another company is 403, one that does not exist 404', async () => {
    const { operator, run } = aTeam();
    const { id } = await undo(operator, { runId: run });
    const outsider = aTeam().operator;
    await world.as(outsider).get(`/api/notes/undo/${id}`).expect(403);
    await world.as(outsider).post('/api/notes/undo').send({ undoId: id }).expect(403);
    await world.as(outsider).get(`/api/notes/undo/${newId()}`).expect(404);
    await world.as(outsider).post('/api/notes/undo').send({ undoId: newId() }).expect(404);
  });

  it('notes of another company cannot be chosen', async () => {
    const { operator, run } = aTeam();
    const id = aNoteId();
    await put(aTeam().agent, id, { content: 'theirs' });
    const request = { runId: run, noteIds: [aNoteId(), id] };
    const { body } = await world.as(operator).post('/api/notes/undo').send(request).expect(403);
    expect(body).toMatchObject({ code: 'cross_company' });
  });
});

describe('a client that holds undone text', () => {
  it('gets a conflict copy, whether the note is there or was removed, and never brings it back', async () => {
    const { agent, other, operator, run } = aTeam();
    const client = syncClient(world, other);
    const [id, made] = [aNoteId(), aNoteId()];
    await put(other, id, { content: 'one\ntwo\n' });
    await put(agent, id, { content: 'one\ntwo\nnonsense\n' });
    await put(agent, made, { content: 'nonsense\n' });
    const { cursor } = await client.pullAll();
    await undo(operator, { runId: run });
    const { results } = await client.push(
      putOf({ content: 'mine\none\ntwo\nnonsense\n' }, { id, baseRevision: 2 }),
      putOf({ content: 'nonsense\nmine\n' }, { id: made, baseRevision: 1 }),
    );
    expect(results.map(({ status }) => status)).toEqual(['conflict', 'conflict']);
    expect(results[1]).not.toHaveProperty('note');
    expect(await contentOf(other, id)).toBe('one\ntwo\n');
    expect(await contentOf(other, made)).toBeNull();
    for (const { conflictNoteId } of results) {
      expect(await contentOf(other, conflictNoteId ?? '')).toContain('mine');
    }
    const { changes } = await client.pullAll(cursor);
    expect(changes.filter(({ deletedAt }) => deletedAt !== null).map((note) => note.id)).toEqual([
      made,
    ]);
    const { results: merged } = await client.push(
      putOf({ content: 'one\ntwo\nmine\n' }, { id, baseRevision: 3 }),
    );
    expect(merged.map(({ status }) => status)).toEqual(['applied']);
  });

  it('an undo lists conflict copies and merges that the source caused', async () => {
    const { agent, other, operator, run } = aTeam();
    const client = syncClient(world, other);
    const id = aNoteId();
    await put(other, id, { content: 'one\ntwo\nthree\n' });
    await put(agent, id, { content: 'one\ntwo\nnonsense\n' });
    const { results } = await client.push(
      putOf({ content: 'mine\none\ntwo\nthree\n' }, { id, baseRevision: 1 }),
      putOf({ content: 'one\ntwo\nother\n' }, { id, baseRevision: 1 }),
    );
    expect(results.map(({ status }) => status)).toEqual(['merged', 'conflict']);
    const note = noteOf(await undo(operator, { runId: run }), id);
    expect(note).toMatchObject({
      outcome: 'undone',
      merges: [3],
      conflictCopies: [results[1]?.conflictNoteId],
    });
    expect(await contentOf(other, id)).toBe('mine\none\ntwo\nthree\n');
  });
});

describe('an undo under way', () => {
  it('history limits that took the version before: listed, and nothing is written', async () => {
    const { agent, other, operator, run } = aTeam();
    const id = aNoteId();
    await put(other, id, { content: 'one' });
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    const [deps] = world.deps;
    const cut = new Date();
    await put(agent, id, { content: 'two' });
    if (deps) {
      const clock = () => new Date(cut.getTime() + 86_400_000);
      await pruneRevisions({ ...deps, clock }, { revisionDays: 1 }, new AbortController().signal);
    }
    expect(noteOf(await undo(operator, { runId: run }), id).outcome).toBe('base_purged');
    expect(await contentOf(other, id)).toBe('two');
  });

  it('a worker that dies after a COMMIT leaves the rest to the next, and no note is written twice', async () => {
    const { agent, company, operator, run } = aTeam();
    const client = syncClient(world, agent);
    await client.push(...Array.from({ length: 250 }, (_, index) => putOf({ content: `${index}` })));
    await stopWorkers();
    const { body } = await world
      .as(operator)
      .post('/api/notes/undo')
      .send({ runId: run })
      .expect(202);
    const id = undoId.parse((body as { id: string }).id);
    const [deps] = world.deps;
    if (!deps) {
      throw new Error('There is an instance');
    }
    const dying: UndoDeps = {
      ...deps,
      writeNotes: async (...request) => {
        await deps.writeNotes(...request);
        throw new Error('killed');
      },
    };
    const running = await claimUndo(deps, { companyId: company, id });
    await expect(runUndo(dying, running)).rejects.toThrow('killed');
    const readUndo = async () =>
      (await world.as(operator).get(`/api/notes/undo/${id}`).expect(200)).body as Undo;
    expect(await readUndo()).toMatchObject({
      status: 'running',
      progress: { done: 100, total: 250 },
    });
    await runUndo(deps, running);
    expect(await readUndo()).toMatchObject({
      status: 'succeeded',
      outcomes: { removed: 250 },
    });
    const revisions = await write(deps.db, company, (tx) =>
      tx.query<{ count: number }>(
        'select count(*)::integer as count from notes.note_revisions where company_id = $1',
        [company],
      ),
    );
    expect(revisions[0]?.count).toBe(500);
  });

  it('a worker whose lease is lost writes nothing, and decides nothing', async () => {
    const { agent, company, operator, run } = aTeam();
    const [id, other] = [aNoteId(), aNoteId()];
    await put(agent, id, { content: 'nonsense' });
    await put(agent, other, { content: 'nonsense' });
    const request = { runId: run };
    const { body } = await world.as(operator).post('/api/notes/undo').send(request).expect(202);
    const undone = undoId.parse((body as { id: string }).id);
    const [deps] = world.deps;
    if (!deps) {
      throw new Error('There is an instance');
    }
    const running = await claimUndo(deps, { companyId: company, id: undone });
    const late = { ...running, leaseToken: newId() };
    await expect(runUndo(deps, late)).rejects.toThrow('another worker');
    expect(await contentOf(operator, id)).toBe('nonsense');
    expect(
      await untilUndo(world.as(operator), undone, ({ progress }) => progress.total === 2),
    ).toMatchObject({
      status: 'running',
      progress: { done: 0 },
    });
    await runUndo(deps, running);
    expect(await contentOf(operator, id)).toBeNull();
  });

  it('notes of 512 KiB are compared in batches of a bounded size, and lose nothing of others', async () => {
    const { agent, company, other, operator, run } = aTeam();
    const ids = Array.from({ length: 8 }, aNoteId);
    const large = `${'x'.repeat(63)}\n`.repeat(8_180);
    for (const id of ids) {
      await put(other, id, { content: large });
      await put(agent, id, { content: `nonsense\n${large}` });
      await put(other, id, { content: `nonsense\n${large}theirs\n` });
    }
    const request = { runId: run };
    const { body } = await world.as(operator).post('/api/notes/undo').send(request).expect(202);
    const id = undoId.parse((body as { id: string }).id);
    const [deps] = world.deps;
    if (!deps) {
      throw new Error('There is an instance');
    }
    const reserved: number[] = [];
    const reserveUndoBytes: UndoDeps['reserveUndoBytes'] = (bytes, work) => {
      reserved.push(bytes);
      return deps.reserveUndoBytes(bytes, work);
    };
    await runUndo({ ...deps, reserveUndoBytes }, await claimUndo(deps, { companyId: company, id }));
    expect((await untilUndo(world.as(operator), id)).outcomes).toMatchObject({ undone: 8 });
    for (const each of ids) {
      expect((await contentOf(other, each)) === `${large}theirs\n`).toBe(true);
    }
    expect(Math.max(...reserved)).toBeLessThanOrEqual(storedBudget.partBytes);
    expect(reserved.reduce((sum, bytes) => sum + bytes)).toBeGreaterThan(3 * 8 * 500_000);
  });
});
