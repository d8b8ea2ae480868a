import { randomBytes } from 'node:crypto';
import { it } from '@jest/globals';
import pg from 'pg';
import { runWorkers } from '../../src/jobs/run-workers.ts';
import { aNoteId, anAgent, createNotesWorld } from '../notes-world.ts';

it('measures', async () => {
  const world = await createNotesWorld({ instances: 2 });
  const admin = new pg.Client({ connectionString: world.database.adminUrl });
  await admin.connect();
  const size = async (table: string) => {
    await admin.query(`vacuum ${table}`);
    return Number((await admin.query(`select pg_total_relation_size($1) as s`, [table])).rows[0].s) / 2 ** 20;
  };
  const content = randomBytes(512 * 768).toString('base64').slice(0, 512 * 1024);
  await admin.query(`update notes.knex_migrations set batch = 2 where name = '0036_share_texts'`);
  for (const [instance, what] of [[1, 'before'], [0, 'after']] as const) {
    await admin.query(`update notes.knex_migrations set batch = $1 where name = '0036_share_texts'`, [instance + 1]);
    const agent = anAgent();
    const id = aNoteId();
    await world.as(agent, instance).put(`/api/notes/${id}`).send({ content }).expect(201);
    const start = await size('notes.note_revisions');
    for (let i = 0; i < 200; i += 1) {
      await world.as(agent, instance).patch(`/api/notes/${id}`).send({ edits: [{ op: 'set', pinned: i % 2 === 0 }] }).expect(200);
    }
    process.stderr.write(`200 set pinned ${what}: ${(await size('notes.note_revisions') - start).toFixed(1)} MiB\n`);
  }
  const agent = anAgent();
  for (let i = 0; i < 10; i += 1) {
    await world.as(agent).put(`/api/notes/${aNoteId()}`).send({ content: randomBytes(512 * 768).toString('base64').slice(0, 512 * 1024) }).expect(201);
  }
  const start = await size('notes.jobs');
  const stop = new AbortController();
  const working = runWorkers(world.deps[0]!, stop.signal);
  let last = '';
  for (let i = 0; i < 60; i += 1) {
    const { body, status } = await world.as(agent).post('/api/sync').set('Prefer', 'respond-async').send({ cursor: null });
    if (i === 0) process.stderr.write(`${status} ${JSON.stringify(body).slice(0, 200)}\n`);
    last = body.jobId;
    for (;;) {
      const { body: job } = await world.as(agent).get(`/api/sync/${last}`);
      if (job.finishedAt || typeof job.status === 'number') { if (i === 0) process.stderr.write(`${JSON.stringify(job).length}\n`); break; }
      await new Promise((r) => setTimeout(r, 20));
    }
  }
  stop.abort();
  await working;
  const live = (await admin.query(`select count(*) as n, sum(pg_column_size(result)) / 1048576.0 as mib from notes.jobs`)).rows[0];
  process.stderr.write(`60 background syncs: table ${(await size('notes.jobs') - start).toFixed(1)} MiB; rows ${live.n}, results ${Number(live.mib).toFixed(1)} MiB\n`);
  await admin.end();
  await world.close();
}, 300_000);
