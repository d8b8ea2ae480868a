import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppError } from '@commonplace/contracts';
import pg from 'pg';
import { anAgent, aNoteId, createNotesWorld, type NotesWorld } from '../notes-world.ts';

const home = anAgent();
const revoked = anAgent(home.companyId);
let isRevoked = false;
let world: NotesWorld;
beforeAll(async () => {
  world = await createNotesWorld({
    recheckCaller: async (caller) => {
      if (isRevoked && caller.kind === 'agent' && caller.agentId === revoked.agentId) {
        throw new AppError('invalid_token');
      }
      return caller;
    },
  });
});
afterAll(() => world.close());

it('writes that waited behind others of their company are refused when their sender lost access meanwhile', async () => {
  const put = (caller: typeof home, title: string) =>
    Promise.resolve(world.as(caller).put(`/api/notes/${aNoteId()}`).send({ title }));
  await put(home, 'There is a feed to be locked');
  const holder = new pg.Client({ connectionString: world.database.adminUrl });
  await holder.connect();
  try {
    await holder.query('begin');
    await holder.query('select from notes.company_feed where company_id = $1 for update', [
      home.companyId,
    ]);
    const first = put(home, 'First');
    await until(() => waiting() === 1);
    const late = [put(home, 'Kept'), put(revoked, 'Revoked'), sync('Revoked too')];
    await until(() => waiting() === 4);
    isRevoked = true;
    // Longer than what was known of a caller holds.
    await sleep(600);
    await holder.query('commit');
    expect((await first).status).toBe(201);
    expect((await Promise.all(late)).map(({ status }) => status)).toEqual([201, 401, 401]);
  } finally {
    await holder.end();
  }
  const listed = await world.as(home).get('/api/notes');
  const titles = (listed.body as { items: { title: string }[] }).items.map(({ title }) => title);
  expect(titles.toSorted()).toEqual(['First', 'Kept', 'There is a feed to be locked']);
});

const sync = (title: string) =>
  Promise.resolve(
    world
      .as(revoked)
      .post('/api/sync')
      .send({
        clientId: 'late',
        changes: [
          { mutationId: '1', id: aNoteId(), op: 'put', baseRevision: null, note: { title } },
        ],
      }),
  );

const waiting = (): number => world.deps[0]?.tally.waiting ?? 0;

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) {
    await sleep(5);
  }
};
