import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { noteId, type SyncResult } from '@commonplace/contracts';
import { write } from '@commonplace/db';
import { countEmbeddedNotes, upsertEmbeddings } from '../../src/queries/embeddings.ts';
import { pruneRevisions, purge } from '../../src/maintenance/purge.ts';
import { makeStatistics } from '../../src/search/make-statistics.ts';
import { removeUnusedWords } from '../../src/search/remove-words.ts';
import { runWorkers } from '../../src/jobs/run-workers.ts';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { deleteOf, putOf, syncClient } from '../sync-client.ts';

const dayMs = 86_400_000;
const running = new AbortController().signal;
let world: NotesWorld;
/** What day it is for the service. */
let today = 0;

beforeAll(async () => {
  const clock = () => new Date(Date.now() + today * dayMs);
  world = await createNotesWorld({ clock, instances: 2 });
});

afterAll(() => world.close());

beforeEach(() => {
  today = 0;
});

const deps = () => {
  const [first] = world.deps;
  if (!first) {
    throw new Error('A world has one instance at least');
  }
  return first;
};

const purgeNow = () => purge(deps(), { tombstoneDays: 90, mutationDays: 30 }, running);

const aDeletedNote = async () => {
  const agent = anAgent();
  const client = syncClient(world, agent);
  const put = putOf({ title: 'first', content: 'text' });
  const { cursor } = await client.sync({ changes: [put, putOf({ title: 'other' })] });
  await client.push(deleteOf(put.id, 1));
  return { agent, client, id: put.id, cursorBefore: cursor };
};

describe('a tombstone', () => {
  it('that is gone leaves no vectors', async () => {
    const { agent, id } = await aDeletedNote();
    const note = {
      id: noteId.parse(id),
      changeNo: 3,
      textHash: '',
      skipped: 0,
      vectors: '01',
      signs: ['1'],
    };
    await write(deps().db, agent.companyId, async (tx) => {
      // As if the note had been embedded while it was being deleted.
      await tx.query('update notes.notes set deleted_at = null where company_id = $1 and id = $2', [
        agent.companyId,
        id,
      ]);
      await upsertEmbeddings(tx, 'model', [note]);
      await tx.query('update notes.notes set deleted_at = $3 where company_id = $1 and id = $2', [
        agent.companyId,
        id,
        new Date(),
      ]);
    });
    const count = () => write(deps().db, agent.companyId, (tx) => countEmbeddedNotes(tx, 'model'));
    expect(await count()).toBe(1);
    today = 91;
    await purgeNow();
    expect(await count()).toBe(0);
  });

  it('is kept for as long as it should, and gone after that', async () => {
    const { agent, client, id } = await aDeletedNote();
    today = 89;
    await purgeNow();
    await world
      .as(agent)
      .get(`/api/notes/${id}`)
      .expect(404, /note_deleted/);
    today = 91;
    await purgeNow();
    await world
      .as(agent)
      .get(`/api/notes/${id}`)
      .expect(404, /"not_found"/);
    const { body } = await world.as(agent).get('/api/notes?deleted=only').expect(200);
    expect(body).toMatchObject({ items: [] });
    const { changes, integrity } = await client.pullAll();
    expect(changes.map(({ title }) => title)).toEqual(['other']);
    expect(integrity?.count).toBe(1);
  });

  it('that is gone makes cursors from before it useless, and no others', async () => {
    const { client, cursorBefore } = await aDeletedNote();
    const { cursor } = await client.pullAll();
    today = 91;
    await purgeNow();
    await client.post({ cursor: cursorBefore }).expect(410);
    expect((await client.sync({ cursor })).changes).toEqual([]);
  });

  it('that is gone leaves its revisions, which go on when the note comes back', async () => {
    const { agent, client, id } = await aDeletedNote();
    today = 91;
    await purgeNow();
    const revisions = async () => {
      const { body } = await world.as(agent).get(`/api/notes/${id}/revisions`).expect(200);
      return (body as { items: { revision: number }[] }).items.map(({ revision }) => revision);
    };
    expect(await revisions()).toEqual([2, 1]);
    await world.as(anAgent()).get(`/api/notes/${id}/revisions`).expect(403);
    await world.as(anAgent()).put(`/api/notes/${id}`).send({}).expect(403);

    const { results } = await client.push(putOf({ title: 'again' }, { id, baseRevision: 1 }));
    expect(results).toMatchObject([{ status: 'applied', revision: 3 }]);
    expect(await revisions()).toEqual([3, 2, 1]);
  });

  it('that is gone still hides the versions of its note from who reaches only folders it had left', async () => {
    const agent = anAgent();
    const id = aNoteId();
    const path = `/api/notes/${id}`;
    await world.as(agent).put(path).send({ folder: 'open', content: 'then' }).expect(201);
    await world.as(agent).put(path).send({ folder: 'closed', content: 'now' }).expect(200);
    await world.as(agent).delete(path).expect(204);
    const reader = (folder: string) =>
      world.as({ ...agent, grants: [{ folder, scope: 'read', mode: 'direct' }] });
    for (const day of [0, 91]) {
      today = day;
      await purgeNow();
      for (const each of ['revisions', 'revisions/1', 'diff?from=1&to=2']) {
        await reader('open')
          .get(`${path}/${each}`)
          .expect(403, /folder_not_granted/);
      }
      await reader('closed').get(`${path}/revisions`).expect(200);
    }
  });

  it('goes and comes back as often as its note does', async () => {
    const { agent, id } = await aDeletedNote();
    for (const round of [1, 2]) {
      today = 91 * round;
      await purgeNow();
      await world.as(agent).put(`/api/notes/${id}`).send({ title: 'again' }).expect(201);
      const { headers } = await world.as(agent).get(`/api/notes/${id}`).expect(200);
      expect(headers['etag']).toBe(`"${1 + 2 * round}"`);
      await world.as(agent).delete(`/api/notes/${id}`).expect(204);
    }
  });

  it('yields to writers, and deletes nothing they wrote', async () => {
    const { agent, client, id } = await aDeletedNote();
    today = 91;
    const writing = Array.from({ length: 20 }, () =>
      world.as(agent).put(`/api/notes/${aNoteId()}`).send({ title: 'new' }).expect(201),
    );
    await Promise.all([purgeNow(), purgeNow(), ...writing]);
    await purgeNow();
    await world
      .as(agent)
      .get(`/api/notes/${id}`)
      .expect(404, /"not_found"/);
    expect((await client.pullAll()).changes).toHaveLength(21);
  });
});

describe('the words of notes that are gone', () => {
  it('are in no document, list or statistics, and neither correct nor complete a query', async () => {
    const agent = anAgent();
    const client = syncClient(world, agent);
    const word = 'zeppelinium';
    const gone = Array.from({ length: 6 }, () => putOf({ title: 'gone', content: word }));
    await client.push(...gone, putOf({ title: 'stays', content: 'zebra' }));
    const titlesFor = async (q: string, more = ''): Promise<string[]> => {
      const path = `/api/notes?q=${q}&deleted=include${more}`;
      const { body } = await world.as(agent).get(path).expect(200);
      return (body as { items: { title: string }[] }).items.map(({ title }) => title);
    };
    expect(await titlesFor(word)).toHaveLength(6);
    await makeStatistics(deps().db, agent.companyId);
    const stored = () =>
      write(deps().db, agent.companyId, (tx) =>
        tx.query<{ place: string }>(
          `select 'words' as place from notes.search_words where company_id = $1 and word like $2
           union all select 'statistics' from notes.search_terms where company_id = $1 and term like $2
           union all select 'documents' from notes.note_search
             where company_id = $1 and document::text like $2`,
          [agent.companyId, `%${word.slice(0, 8)}%`],
        ),
      );
    expect(new Set((await stored()).map(({ place }) => place))).toEqual(
      new Set(['words', 'statistics', 'documents']),
    );
    await client.push(...gone.map(({ id }) => deleteOf(id, 1)));
    today = 91;
    await purgeNow();
    expect(await titlesFor('zeb')).toEqual([]);
    await makeStatistics(deps().db, agent.companyId);
    await removeUnusedWords(deps().db, agent.companyId, running);
    expect(await stored()).toEqual([]);
    expect(await titlesFor('zeppelinum')).toEqual([]);
    expect(await titlesFor('ze', '&match=prefix')).toEqual(['stays']);
  });
});

describe('a mutation', () => {
  it('is remembered for as long as it should be, then forgotten', async () => {
    const client = syncClient(world, anAgent());
    const put = putOf({ title: 'once' });
    await client.push(put);
    today = 29;
    await purgeNow();
    expect((await client.push(put)).results).toMatchObject([{ status: 'applied', replayed: true }]);
    today = 31;
    await purgeNow();
    const { results } = await client.push(put);
    expect(results).toMatchObject([{ status: 'unchanged', revision: 1 }]);
    expect(results[0]).not.toHaveProperty('replayed');
  });
});

describe('a finished job', () => {
  it('can be read for seven days', async () => {
    const agent = anAgent();
    const { body } = await syncClient(world, agent).post({ mode: 'background' }).expect(202);
    const path = `/api/sync/${(body as { jobId: string }).jobId}`;
    const stopping = new AbortController();
    const working = runWorkers(deps(), stopping.signal);
    let result: SyncResult | null = null;
    while (result === null) {
      ({ result } = (await world.as(agent).get(path).expect(200)).body as { result: SyncResult });
    }
    stopping.abort();
    await working;
    today = 6;
    await purgeNow();
    await world.as(agent).get(path).expect(200);
    today = 8;
    await purgeNow();
    await world.as(agent).get(path).expect(404);
  });

  it('that is not finished is kept, however old', async () => {
    const agent = anAgent();
    const { body } = await syncClient(world, agent).post({ mode: 'background' }).expect(202);
    today = 400;
    await purgeNow();
    await world
      .as(agent)
      .get(`/api/sync/${(body as { jobId: string }).jobId}`)
      .expect(200);
  });
});

describe('a version', () => {
  const versionsOf = async (agent: ReturnType<typeof anAgent>, id: string) => {
    const { body } = await world.as(agent).get(`/api/notes/${id}/revisions`).expect(200);
    return (body as { items: { revision: number }[] }).items.map(({ revision }) => revision);
  };

  it('is pruned when it is old, but never the newest, nor one with an open conflict', async () => {
    const agent = anAgent();
    const [plain, disputed] = [aNoteId(), aNoteId()];
    for (const title of ['one', 'two', 'three']) {
      await world.as(agent).put(`/api/notes/${plain}`).send({ title });
      await world.as(agent).put(`/api/notes/${disputed}`).send({ title });
    }
    const lost = putOf({ title: 'other' }, { id: disputed, baseRevision: null });
    await syncClient(world, agent).push(lost);

    today = 31;
    await pruneRevisions(deps(), { revisionDays: 0 }, running);
    expect(await versionsOf(agent, plain)).toEqual([3, 2, 1]);
    await pruneRevisions(deps(), { revisionDays: 30 }, running);
    expect(await versionsOf(agent, plain)).toEqual([3]);
    expect(await versionsOf(agent, disputed)).toEqual([3, 2, 1]);
  });
});

describe('a text that does not change', () => {
  const asAdmin = async <Row extends pg.QueryResultRow>(statement: string, values: unknown[]) => {
    const admin = new pg.Client({ connectionString: world.database.adminUrl });
    await admin.connect();
    try {
      return (await admin.query<Row>(statement, values)).rows;
    } finally {
      await admin.end();
    }
  };
  /** Of the note and its versions. */
  const bytesStored = async (id: string): Promise<number> => {
    const [row] = await asAdmin<{ bytes: number }>(
      `select sum(length(content))::integer as bytes from (
         select content from notes.note_revisions where note_id = $1
         union all select content from notes.notes where id = $1
       ) s`,
      [id],
    );
    return row?.bytes ?? 0;
  };
  const patch = (agent: ReturnType<typeof anAgent>, id: string, edit: object) =>
    world
      .as(agent)
      .patch(`/api/notes/${id}`)
      .send({ edits: [edit] });

  it('is stored once, however often a flag is set or the note deleted and restored', async () => {
    const agent = anAgent();
    const id = aNoteId();
    const content = 'x'.repeat(200_000);
    await world.as(agent).put(`/api/notes/${id}`).send({ content }).expect(201);
    for (let round = 0; round < 10; round += 1) {
      await patch(agent, id, { op: 'set', pinned: round % 2 === 0 }).expect(200);
    }
    for (let round = 0; round < 3; round += 1) {
      await world.as(agent).delete(`/api/notes/${id}`).expect(204);
      await world.as(agent).post(`/api/notes/${id}/restore`).send({}).expect(200);
    }
    const flags = [true, false, true].map((archived) =>
      putOf({ content, archived }, { id, baseRevision: 17 }),
    );
    await syncClient(world, agent).push(...flags);
    expect(await bytesStored(id)).toBe(content.length);
    await patch(agent, id, { op: 'append', text: 'y' }).expect(200);
    expect(await bytesStored(id)).toBe(content.length + 1);
    for (const revision of [1, 7, 17, 19]) {
      const { body } = await world.as(agent).get(`/api/notes/${id}/revisions/${revision}`);
      expect([revision, body.content === content]).toEqual([revision, true]);
    }
  });

  it('is stored with each version until a day after an upgrade: the release before reads them', async () => {
    const setRun =
      'update notes.knex_migrations set batch = $1, migration_time = now() where name = $2';
    await asAdmin(setRun, [2, '0036_share_texts']);
    const setLater = setRun.replace('now()', "now() + interval '10 days'");
    await asAdmin(setLater, [2, '0051_share_growing_texts']);
    try {
      const agent = anAgent();
      const id = aNoteId();
      const content = 'x'.repeat(2_000);
      const put = (pinned: boolean) =>
        world.as(agent, 1).put(`/api/notes/${id}`).send({ content, pinned });
      await put(false).expect(201);
      await put(true).expect(200);
      expect(await bytesStored(id)).toBe(3 * content.length);
      today = 2;
      await put(false).expect(200);
      expect(await bytesStored(id)).toBe(3 * content.length);
      today = 12;
      await put(true).expect(200);
      expect(await bytesStored(id)).toBe(2 * content.length);
    } finally {
      await asAdmin(setRun, [1, '0036_share_texts']);
      await asAdmin(setRun, [1, '0051_share_growing_texts']);
    }
  });

  type Step =
    | { readonly op: 'put' | 'flags'; readonly text: number; readonly pinned: boolean }
    | { readonly op: 'delete' | 'purge' | 'prune' }
    | { readonly op: 'restore'; readonly back: number }
    | { readonly op: 'wait'; readonly days: number };
  const step = fc.oneof(
    fc.record({
      op: fc.constantFrom('put' as const, 'flags' as const),
      text: fc.nat(1),
      pinned: fc.boolean(),
    }),
    fc.record({ op: fc.constantFrom('delete' as const, 'purge' as const, 'prune' as const) }),
    fc.record({ op: fc.constant('restore' as const), back: fc.nat(3) }),
    fc.record({ op: fc.constant('wait' as const), days: fc.constantFrom(10, 100) }),
  );
  const textOf = (text: number) => `${text}`.repeat(1_500);

  /** Applies a step, which may be refused, as where a deleted note is edited. */
  const apply = async (agent: ReturnType<typeof anAgent>, id: string, each: Step) => {
    const at = world.as(agent);
    switch (each.op) {
      case 'put':
        return at.put(`/api/notes/${id}`).send({ content: textOf(each.text), pinned: each.pinned });
      case 'flags': {
        const content = textOf(each.text);
        const { body } = await at.get(`/api/notes/${id}`);
        const flags = [each.pinned, !each.pinned].map((pinned) =>
          putOf({ content, pinned }, { id, baseRevision: body.revision ?? null }),
        );
        return syncClient(world, agent).push(...flags);
      }
      case 'delete':
        return at.delete(`/api/notes/${id}`);
      case 'restore': {
        const { body } = await at.get(`/api/notes/${id}/revisions`);
        const revision = body.items?.[each.back]?.revision;
        return at
          .post(`/api/notes/${id}/restore`)
          .send(revision && each.back > 0 ? { revision } : {});
      }
      case 'wait':
        today += each.days;
        return null;
      case 'purge':
        return purgeNow();
      case 'prune':
        return pruneRevisions(deps(), { revisionDays: 30 }, running);
    }
  };

  it('is read exactly from every version that is kept, after any steps', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
        today = 0;
        const agent = anAgent();
        const id = aNoteId();
        const seen = new Map<number, string>();
        for (const each of steps) {
          await apply(agent, id, each);
          const { body: note } = await world.as(agent).get(`/api/notes/${id}`);
          const { body: history } = await world.as(agent).get(`/api/notes/${id}/revisions`);
          for (const { revision, deleted } of history.items ?? []) {
            const { body } = await world.as(agent).get(`/api/notes/${id}/revisions/${revision}`);
            const known = seen.get(revision) ?? body.content;
            expect([revision, body.content]).toEqual([revision, known]);
            expect([revision, deleted || typeof known]).toEqual([revision, deleted || 'string']);
            seen.set(revision, known);
          }
          expect(seen.get(note.revision)).toBe(note.content);
        }
      }),
      { numRuns: 6 },
    );
  });
});
