import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { HeldGrants, NoteGrant, SyncJob } from '@commonplace/contracts';
import type { ServiceClient } from '@commonplace/http';
import type { AgentCaller } from '@commonplace/identity';
import pg from 'pg';
import { createJobAuthorizer } from '../../src/clients/authorize-job.ts';
import { aCompany, aNoteId, anAgent, createNotesWorld, type NotesWorld } from '../notes-world.ts';
import { startWorkers } from '../start-workers.ts';
import { putOf, syncClient } from '../sync-client.ts';

const grantOf = (folder: string, scope: NoteGrant['scope'] = 'any'): NoteGrant => ({
  folder,
  scope,
  mode: 'direct',
});
const grants = [grantOf('a'), grantOf('r', 'read')];

/** What the agents service says of every agent. */
let grantsNow: HeldGrants;
/** Called at each check of a job, with its number. */
let onCheck: (number: number) => void;
let checks = 0;
const callAgents = async () => {
  checks += 1;
  onCheck(checks);
  const agent = {
    agentStatus: 'active',
    companyStatus: 'active',
    ...(grantsNow && { grants: grantsNow }),
  };
  return { agent };
};

let world: NotesWorld;
let stopWorkers: () => Promise<void>;
beforeAll(async () => {
  world = await createNotesWorld({
    instances: 2,
    authorizeJob: createJobAuthorizer(callAgents as unknown as ServiceClient),
  });
  stopWorkers = startWorkers(world);
});
afterAll(async () => {
  await stopWorkers();
  await world.close();
});

let wide: AgentCaller;
let narrow: AgentCaller;
beforeEach(() => {
  grantsNow = null;
  onCheck = () => undefined;
  checks = 0;
  wide = anAgent(aCompany());
  narrow = { ...wide, grants };
});

const noteIn = async (
  folder: string,
  title = `In ${folder}`,
  id: string = aNoteId(),
): Promise<string> => {
  await world
    .as(wide)
    .put(`/api/notes/${id}`)
    .send({ title, folder, content: `text of ${title}` });
  return id;
};
const order = async (caller: AgentCaller, body: object = {}): Promise<string> => {
  const response = await world
    .as(caller)
    .post('/api/sync')
    .send({ clientId: 'laptop', mode: 'background', ...body })
    .expect(202);
  return (response.body as { jobId: string }).jobId;
};
const readJob = async (caller: AgentCaller, id: string): Promise<SyncJob> =>
  (await world.as(caller).get(`/api/sync/${id}`).expect(200)).body as SyncJob;
const ended = async (caller: AgentCaller, id: string): Promise<SyncJob> => {
  for (let attempts = 0; attempts < 600; attempts += 1) {
    const job = await readJob(caller, id);
    if (job.finishedAt !== null) {
      return job;
    }
    await sleep(50);
  }
  throw new Error('The job did not end');
};
const titlesOf = ({ result }: SyncJob) => result?.changes.map(({ title }) => title);

describe('a job of a credential with grants', () => {
  it('changes and shows its folders only, and its cursor goes on in the foreground', async () => {
    const [inside, read, outside] = [await noteIn('a'), await noteIn('r'), await noteIn('x')];
    const changes = [
      putOf({ title: 'New', folder: 'a' }),
      putOf({ title: 'Elsewhere', folder: 'x' }),
      putOf({ title: 'Taken', folder: 'a' }, { id: outside, baseRevision: 1 }),
      putOf({ title: 'Only read', folder: 'r' }, { id: read, baseRevision: 1 }),
      putOf({ title: 'Moved out', folder: 'x' }, { id: inside, baseRevision: 1 }),
    ];
    const job = await ended(narrow, await order(narrow, { changes }));
    const denied = { status: 'rejected', error: { code: 'folder_not_granted' } };
    expect(job.status).toBe('succeeded');
    expect(job.result?.results).toMatchObject([
      { status: 'applied' },
      denied,
      denied,
      denied,
      denied,
    ]);
    expect(titlesOf(job)?.toSorted()).toEqual(['In a', 'In r']);
    expect(JSON.stringify(job)).not.toContain('In x');
    expect(job.result?.integrity).toBeUndefined();
    const { cursor } = job.result as { cursor: string };
    await syncClient(world, narrow).sync({ cursor });
    await world.as(wide).post('/api/sync').send({ cursor }).expect(410);
  });

  it('goes on while the agent has them still, and more', async () => {
    await noteIn('a');
    await noteIn('b');
    grantsNow = [grantOf('a'), grantOf('b'), grantOf('r')];
    expect(titlesOf(await ended(narrow, await order(narrow)))).toEqual(['In a']);
  });

  it('is stored so that the release before does not run it without them', async () => {
    const id = await order(narrow);
    await ended(narrow, id);
    const admin = new pg.Client({ connectionString: world.database.adminUrl });
    await admin.connect();
    const { rows } = await admin.query(
      `select caller -> 'author' ->> 'kind' as kind from notes.jobs where id = $1`,
      [id],
    );
    await admin.end();
    expect(rows).toEqual([{ kind: 'granted_agent' }]);
  });

  it('is ended with its own grants or more only', async () => {
    const held = new Promise<void>(() => undefined);
    const stuck = await createNotesWorld({ authorizeJob: () => held });
    const { body } = await stuck.as(narrow).post('/api/sync').send({ mode: 'background' });
    const path = `/api/sync/${(body as { jobId: string }).jobId}`;
    const less = { ...wide, grants: grants.slice(0, 1) };
    const { body: refusal } = await stuck.as(less).delete(path).expect(403);
    expect(refusal).toMatchObject({ code: 'folder_not_granted' });
    expect(JSON.stringify(refusal)).not.toMatch(/folder (a|r)\b/);
    await stuck.as(narrow).delete(path).expect(204);
    await stuck.close();
  });
});

describe('a change of grants while a job runs', () => {
  const puts = Array.from({ length: 1_100 }, (_, index) => ({ title: `n${index}`, folder: 'a' }));

  it('ends the job by name at whatever check it comes, and nothing after it is applied or shown', async () => {
    // The checks come before the first chunk, while each waits in the queue, and after each.
    let isThrough = false;
    for (let at = 1; !isThrough; at += 1) {
      checks = 0;
      grantsNow = null;
      wide = anAgent(aCompany());
      narrow = { ...wide, grants };
      await noteIn('r');
      onCheck = (number) => {
        if (number === at) {
          grantsNow = [grantOf('r', 'read')];
        }
      };
      const changes = puts.map((note) => putOf(note));
      const job = await ended(narrow, await order(narrow, { changes }));
      isThrough = grantsNow === null;
      expect(job).toMatchObject(
        isThrough
          ? { status: 'succeeded', progress: { done: puts.length } }
          : { status: 'failed', result: null, error: { code: 'folder_not_granted' } },
      );
      const { changes: stored } = await syncClient(world, wide).pullAll();
      const written = stored.filter(({ folder }) => folder === 'a').length;
      expect(written).toBe(job.progress.done);
      expect(at).toBeLessThan(20);
    }
  });

  it('ends a job that was ordered without grants as well', async () => {
    await noteIn('x');
    onCheck = () => {
      grantsNow = grants;
    };
    const job = await ended(wide, await order(wide));
    expect(job).toMatchObject({ status: 'failed', error: { code: 'folder_not_granted' } });
    expect(JSON.stringify(job)).not.toContain('In x');
  });

  it('never lets it write outside, with changes of grants at any time', async () => {
    for (let round = 0; round < 4; round += 1) {
      wide = anAgent(aCompany());
      narrow = { ...wide, grants };
      grantsNow = null;
      const outside = await noteIn('x');
      const changes = puts.map((note, index) =>
        index % 10 === 0 ? putOf({ ...note, folder: 'x' }) : putOf(note),
      );
      const id = await order(narrow, {
        changes: [...changes, putOf({ title: 'Taken' }, { id: outside, baseRevision: 1 })],
      });
      const running = ended(narrow, id);
      await sleep(round * 120);
      grantsNow = round % 2 === 0 ? [] : [grantOf('a', 'read')];
      const job = await running;
      expect(['succeeded', 'failed']).toContain(job.status);
      expect(JSON.stringify(job)).not.toContain('In x');
      const { changes: stored } = await syncClient(world, wide).pullAll();
      expect(stored.filter(({ folder }) => folder === 'x').map(({ title }) => title)).toEqual([
        'In x',
      ]);
    }
  });
});

describe('the stored result of a job', () => {
  it('is shown by the grants of today: what is hidden now, or was elsewhere then, is left out', async () => {
    const [stays, leaves, comes] = [
      await noteIn('a', 'stays'),
      await noteIn('a', 'leaves'),
      await noteIn('x', 'comes'),
    ];
    await noteIn('x', 'hidden');
    const merged = await noteIn('x', 'merged');
    const mine = { title: 'merged', folder: 'x', content: 'mine', tags: ['b', ' a '] };
    const id = await order(wide, { changes: [putOf(mine, { id: merged, baseRevision: 1 })] });
    const whole = await ended(wide, id);
    expect(titlesOf(whole)?.toSorted()).toEqual(['comes', 'hidden', 'leaves', 'stays']);
    expect(whole.result?.results[0]?.note).toMatchObject({ id: merged });
    await noteIn('y', 'leaves', leaves);
    await noteIn('a', 'comes', comes);
    const shown = await readJob(narrow, id);
    expect(shown.result?.changes.map((note) => note.id)).toEqual([stays]);
    expect(shown.result?.counts.returned).toBe(1);
    expect(shown.result?.integrity).toBeUndefined();
    expect(shown.result?.results).toMatchObject([{ id: merged, status: 'applied' }]);
    expect(JSON.stringify(shown)).not.toMatch(/hidden|comes|leaves|mine/);
    expect(titlesOf(await readJob(wide, id))).toEqual(titlesOf(whole));
  });

  it('keeps removals of notes that left the folders meanwhile', async () => {
    const id = await noteIn('a', 'gone');
    const { cursor } = await syncClient(world, narrow).pullAll();
    await noteIn('x', 'elsewhere', id);
    const job = await ended(narrow, await order(narrow, { cursor }));
    expect(job.result?.changes).toMatchObject([{ id, title: 'gone', reason: 'not_granted' }]);
    expect(JSON.stringify(job)).not.toContain('elsewhere');
  });
});
