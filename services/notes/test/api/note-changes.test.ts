import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';

let world: NotesWorld;
const clock = { now: new Date() };
beforeAll(async () => {
  world = await createNotesWorld({ clock: () => clock.now });
});
afterAll(() => world.close());

/** Versions of as many notes, one second apart, from 2026-01-01 on. */
const insertVersions = `
  insert into notes.note_revisions (company_id, note_id, revision, title, content, folder, tags,
    pinned, archived, properties, size, deleted, created_at, created_by_kind, created_by_id)
  select $1, gen_random_uuid(), 1, '', '', '', '{}', false, false, '{}', 0, false,
    timestamptz '2026-01-01T00:00:00Z' + i * interval '1 second', 'agent', $1
  from generate_series(1, $2::integer) i`;

const path = '/api/notes/activity/days';

describe('GET /api/notes/activity/days', () => {
  it('counts changed notes and their versions by UTC day, days without any included', async () => {
    const agent = anAgent(aCompany());
    const put = (id: string, at: string) => {
      clock.now = new Date(at);
      return world.as(agent).put(`/api/notes/${id}`).send({ title: at });
    };
    const id = aNoteId();
    await put(id, '2026-01-31T23:59:59.999Z');
    await put(id, '2026-02-02T00:00:00.000Z');
    await put(id, '2026-02-02T12:00:00.000Z');
    await put(aNoteId(), '2026-02-02T23:59:59.999Z');
    await put(aNoteId(), '2026-02-03T00:00:00.000Z');
    const { body } = await world.as(agent).get(`${path}?from=2026-01-31&to=2026-02-02`).expect(200);
    expect(body).toEqual({
      from: '2026-01-31',
      to: '2026-02-02',
      items: [
        { day: '2026-01-31', notes: 1, changes: 1 },
        { day: '2026-02-01', notes: 0, changes: 0 },
        { day: '2026-02-02', notes: 2, changes: 3 },
      ],
      countedFrom: null,
    });
  });

  it('counts the newest 100,000 versions, and says which days it did not count', async () => {
    const company = aCompany();
    const admin = new pg.Client({ connectionString: world.database.adminUrl });
    await admin.connect();
    try {
      await admin.query(insertVersions, [company, 100_500]);
    } finally {
      await admin.end();
    }
    const { body } = await world
      .as(anAgent(company))
      .get(`${path}?from=2025-12-31&to=2026-01-02`)
      .expect(200);
    expect(body.items).toEqual([
      { day: '2025-12-31', notes: null, changes: null },
      { day: '2026-01-01', notes: null, changes: null },
      { day: '2026-01-02', notes: 14_101, changes: 14_101 },
    ]);
    expect(body.countedFrom).toBe('2026-01-01T00:08:20.000Z');
  });

  it('shows nothing of other companies, and is 400 for a range it does not take', async () => {
    const agent = anAgent();
    const get = (query: string) => world.as(agent).get(`${path}?${query}`);
    const { body } = await get('from=2026-02-02&to=2026-02-02').expect(200);
    expect(body.items).toEqual([{ day: '2026-02-02', notes: 0, changes: 0 }]);
    await get('from=2026-02-02&to=2026-02-01').expect(400);
    await get('from=2025-01-01&to=2026-02-01').expect(400);
    await get('from=2026-02-30&to=2026-03-01').expect(400);
  });
});
