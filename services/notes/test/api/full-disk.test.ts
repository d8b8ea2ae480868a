import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { testIdentity, until } from '@commonplace/testkit';
import { describeUnlessOnCitus } from '@commonplace/testkit/on-citus';
import { createApp } from '../../src/app.ts';
import { serveStreams } from '../event-stream.ts';
import { aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';

const describeOfOneNode = describeUnlessOnCitus('it accepts no triggers on distributed tables');

/*
 * A full disk as PostgreSQL reports it: triggers of the test raise SQLSTATE 53100 where a file would have to grow.
 * (A disk that is really full takes a mount of its own, which needs rights that tests do not have everywhere.)
 */
let world: NotesWorld;
let served: Awaited<ReturnType<typeof serveStreams>>;
const agent = anAgent();

const asAdministrator = async (sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: world.database.adminUrl });
  await client.connect();
  await client.query(sql);
  await client.end();
};

const fillDisk = `
  create function public.no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger no_room before insert on notes.notes for each row execute function public.no_room();
  create function public.no_room_at_all() returns event_trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create event trigger no_room_at_all on ddl_command_start execute function public.no_room_at_all();`;

const makeRoom = `
  drop event trigger no_room_at_all;
  drop trigger no_room on notes.notes;`;

const put = () => world.as(agent).put(`/api/notes/${aNoteId()}`).send({ title: 'x' });
/** Requests as the gateway does: without an identity. */
const ready = () => fetch(`${served.origin}/readyz`);

beforeAll(async () => {
  world = await createNotesWorld();
  const [deps] = world.deps;
  if (deps) {
    const { verifyIdentity } = testIdentity;
    served = await serveStreams(
      createApp({ ...deps, verifyIdentity, recheckCaller: async (caller) => caller }),
    );
  }
});
afterAll(async () => {
  served.close();
  await world.close();
});

describeOfOneNode('a full disk', () => {
  it('is 503 with Retry-After for who writes, and the service is not ready until a write works again', async () => {
    await put().expect(201);
    expect((await ready()).status).toBe(200);
    await asAdministrator(fillDisk);
    const refused = await put().expect(503);
    expect(refused.body).toMatchObject({ code: 'service_unavailable' });
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    const unready = await ready();
    expect(unready.status).toBe(503);
    expect(await unready.json()).toMatchObject({ detail: expect.stringContaining('disk is full') });
    await world.as(agent).get('/api/notes').expect(200);
    // Past the pause between two probes, the probe itself finds that there is no room yet.
    await sleep(2_100);
    expect((await ready()).status).toBe(503);
    await asAdministrator(makeRoom);
    await put().expect(201);
    await until(async () => (await ready()).status === 200);
  }, 60_000);
});
