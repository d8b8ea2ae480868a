import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, runId, type Agent } from '@commonplace/contracts';
import { as, serviceCaller } from '@commonplace/testkit';
import { expireRuns } from '../../src/commands/expire-runs.ts';
import { createWorld, type World } from '../support/agents-world.ts';
import {
  agentWithKey,
  callerOf,
  createCompany,
  createAgent,
  addMember,
  namesOf,
  startRun,
  type TestCompany,
} from '../support/fixtures.ts';

let world: World;
let home: TestCompany;
let ada: Agent;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  home = await createCompany(world);
  ada = await createAgent(home);
});
afterAll(() => world.close());

const owner = () => as(world.app, home.owner);
const verify = async (id: string) =>
  (await as(world.app, serviceCaller('gateway')).post('/internal/runs/verify').send({ runId: id }))
    .body.run as Record<string, unknown> | null;
const pass = (seconds: number) => {
  world.clock.now = new Date(world.clock.now.getTime() + seconds * 1000);
};

describe('starting a run', () => {
  it('returns the run, its token and the environment of its process', async () => {
    const response = await owner()
      .post(`/api/agents/${ada.id}/runs`)
      .send({ trigger: 'schedule', ttlSeconds: 60 });
    expect(response.status).toBe(201);
    expect(response.headers['cache-control']).toBe('no-store');
    const { run, token, expiresAt, env } = response.body as Record<string, Record<string, unknown>>;
    expect(run).toMatchObject({
      agentId: ada.id,
      companyId: home.id,
      status: 'running',
      trigger: 'schedule',
      finishedAt: null,
      tokenExpiresAt: expiresAt,
      reservedCents: 0,
      costCents: null,
    });
    expect(env).toEqual({
      SERVICE_API_KEY: token,
      SERVICE_BASE_URL: 'https://commonplace.example',
      SERVICE_AGENT_ID: ada.id,
      SERVICE_COMPANY_ID: home.id,
      SERVICE_RUN_ID: run?.['id'],
      SERVICE_USAGE_URL: `https://commonplace.example/api/runs/${String(run?.['id'])}/usage`,
    });
    expect(world.auth.issued.at(-1)).toEqual({
      runId: run?.['id'],
      agentId: ada.id,
      companyId: home.id,
      ttlSeconds: 60,
    });
  });

  it('needs no body, and defaults to the lifetime of the instance', async () => {
    const response = await owner().post(`/api/agents/${ada.id}/runs`);
    expect(response.body.run.trigger).toBe('manual');
    expect(world.auth.issued.at(-1)?.ttlSeconds).toBe(900);
  });

  it('is open to the agent itself by key; not by run, nor to others or viewers', async () => {
    const bob = await createAgent(home);
    const path = `/api/agents/${ada.id}/runs`;
    const codeOf = async (caller: Parameters<typeof as>[1]) =>
      (await as(world.app, caller).post(path).send({})).body.code as unknown;
    expect(await codeOf(await agentWithKey(home, ada))).toBeUndefined();
    expect(await codeOf(callerOf(ada, { runId: runId.parse(newId()) }))).toBe('key_required');
    expect(await codeOf(callerOf(bob))).toBe('not_own_agent');
    expect(await codeOf(await addMember(home, 'viewer'))).toBe('role_insufficient');
    expect(await codeOf((await createCompany(world)).owner)).toBe('cross_company');
    expect(await codeOf(callerOf(ada, { agentStatus: 'paused' }))).toBe('agent_paused');
  });

  it.each([
    ['ttlSeconds', 59],
    ['ttlSeconds', 3601],
    ['reserveCents', -1],
    ['reserveCents', 1.5],
    ['trigger', 'whim'],
    ['status', 'running'],
  ])('rejects %s %s with 400', async (name, value) => {
    const response = await owner()
      .post(`/api/agents/${ada.id}/runs`)
      .send({ [name]: value });
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });

  it('leaves nothing behind if the token cannot be issued', async () => {
    world.auth.isUnavailable = true;
    const response = await owner().post(`/api/agents/${ada.id}/runs`).send({ reserveCents: 10 });
    world.auth.isUnavailable = false;
    expect(response.status).toBe(503);
    expect(response.headers['retry-after']).toBe('1');
    expect((await owner().get(`/api/agents/${ada.id}/runs`)).body.items).toEqual([]);
    expect((await owner().get(`/api/agents/${ada.id}`)).body.budget.reservedCents).toBe(0);
    const activity = await owner().get(`/api/companies/${home.id}/activity?action=run.started`);
    expect(activity.body.items).toEqual([]);
  });
});

describe('reading runs', () => {
  it('is open to the whole company, newest first in pages', async () => {
    const started = [];
    for (let count = 0; count < 3; count += 1) {
      started.push((await startRun(home, ada)).run);
      pass(1);
    }
    const bob = as(world.app, callerOf(await createAgent(home)));
    const path = `/api/agents/${ada.id}/runs`;
    const first = await bob.get(`${path}?limit=2`);
    const rest = await bob.get(`${path}?limit=2&cursor=${first.body.nextCursor}`);
    expect([...namesOf(first.body, 'id'), ...namesOf(rest.body, 'id')]).toEqual(
      started.map(({ id }) => id).toReversed(),
    );
    expect((await bob.get(`/api/runs/${started[0]?.id}`)).body).toEqual(started[0]);
    const otherCompany = as(world.app, (await createCompany(world)).owner);
    expect((await otherCompany.get(`/api/runs/${started[0]?.id}`)).body.code).toBe('cross_company');
    expect((await otherCompany.get(path)).body.code).toBe('cross_company');
    expect((await bob.get(`/api/runs/${newId()}`)).status).toBe(404);
  });
});

describe('the runs of a company', () => {
  it('are those of all agents, newest first in pages, with the number of running ones', async () => {
    const bob = await createAgent(home);
    const started = [];
    for (const agent of [ada, bob, ada]) {
      started.push((await startRun(home, agent)).run.id);
      pass(1);
    }
    await owner().post(`/api/runs/${started[0]}/finish`).send({ status: 'succeeded' }).expect(200);
    const path = `/api/companies/${home.id}/runs`;
    const reader = as(world.app, callerOf(bob));
    const first = await reader.get(`${path}?limit=2`);
    const rest = await reader.get(`${path}?limit=2&cursor=${first.body.nextCursor}`);
    expect([...namesOf(first.body, 'id'), ...namesOf(rest.body, 'id')]).toEqual(
      started.toReversed(),
    );
    expect([first.body.running, rest.body.running, rest.body.nextCursor]).toEqual([2, 2, null]);
    expect((await reader.get(`${path}?limit=1&status=running`)).body.running).toBe(2);
    const otherCompany = await createCompany(world);
    await startRun(otherCompany, await createAgent(otherCompany));
    expect((await as(world.app, otherCompany.owner).get(path)).body.code).toBe('cross_company');
    expect((await reader.get(path)).body.running).toBe(2);
  });

  it('are filtered by the status shown, also before an overdue run is stored as expired', async () => {
    const ends = { succeeded: 'finish', failed: 'finish', cancelled: 'cancel' } as const;
    const expected: Record<string, string[]> = {};
    for (const [status, end] of Object.entries(ends)) {
      const { id } = (await startRun(home, ada)).run;
      await owner()
        .post(`/api/runs/${id}/${end}`)
        .send(end === 'finish' ? { status } : {})
        .expect(200);
      expected[status] = [id];
    }
    expected['expired'] = [(await startRun(home, ada, { ttlSeconds: 60 })).run.id];
    pass(61);
    expected['running'] = [(await startRun(home, ada)).run.id];
    for (const [status, ids] of Object.entries(expected)) {
      const { body } = await owner().get(`/api/companies/${home.id}/runs?status=${status}`);
      expect([status, namesOf(body, 'id'), namesOf(body, 'status'), body.running]).toEqual([
        status,
        ids,
        [status],
        1,
      ]);
    }
    expect((await owner().get(`/api/companies/${home.id}/runs?status=asleep`)).status).toBe(400);
  });

  it('are filtered by agent, by time and by both with a status, in pages', async () => {
    const bob = await createAgent(home);
    const times: string[] = [];
    const ids: string[] = [];
    for (const agent of [ada, bob, bob, bob, ada]) {
      const { run } = await startRun(home, agent);
      times.push(run.startedAt);
      ids.push(run.id);
      pass(1);
    }
    await owner().post(`/api/runs/${ids[2]}/finish`).send({ status: 'failed' }).expect(200);
    const list = async (query: string) =>
      (await owner().get(`/api/companies/${home.id}/runs?${query}`).expect(200)).body;
    const named = async (query: string) => namesOf(await list(query), 'id');
    expect(await named(`agentId=${bob.id}`)).toEqual([ids[3], ids[2], ids[1]]);
    expect(await named(`agentId=${bob.id}&status=failed`)).toEqual([ids[2]]);
    expect(await named(`agentId=${bob.id}&since=${times[2]}&status=running`)).toEqual([ids[3]]);
    expect(await named(`since=${times[1]}&until=${times[3]}`)).toEqual([ids[2], ids[1]]);
    const { nextCursor } = await list(`agentId=${bob.id}&limit=2`);
    expect(await named(`agentId=${bob.id}&limit=2&cursor=${nextCursor}`)).toEqual([ids[1]]);
  });
});

describe('renewing a run', () => {
  it('issues a token with the lifetime of the first, by key, by its own run and by operators', async () => {
    const { run } = await startRun(home, ada, { ttlSeconds: 120 });
    const own = { runId: runId.parse(run.id) };
    for (const caller of [await agentWithKey(home, ada), callerOf(ada, own), home.owner]) {
      pass(30);
      const response = await as(world.app, caller).post(`/api/runs/${run.id}/renew`);
      expect(response.status).toBe(200);
      const expected = new Date(world.clock.now.getTime() + 120_000).toISOString();
      expect(response.body.expiresAt).toBe(expected);
      expect((await owner().get(`/api/runs/${run.id}`)).body.tokenExpiresAt).toBe(expected);
    }
  });

  it('is rejected for other runs of the agent, other agents and viewers', async () => {
    const { run } = await startRun(home, ada);
    const others = [
      [callerOf(ada, { runId: runId.parse(newId()) }), 'not_own_agent'],
      [callerOf(await createAgent(home)), 'not_own_agent'],
      [await addMember(home, 'viewer'), 'role_insufficient'],
    ] as const;
    for (const [caller, code] of others) {
      expect((await as(world.app, caller).post(`/api/runs/${run.id}/renew`)).body.code).toBe(code);
    }
  });

  it('ends after 24 hours, however often it was renewed', async () => {
    const { run } = await startRun(home, ada, { ttlSeconds: 3600 });
    for (let hour = 0; hour < 24; hour += 1) {
      pass(3599);
      expect((await owner().post(`/api/runs/${run.id}/renew`)).status).toBe(200);
    }
    const { body } = await owner().get(`/api/runs/${run.id}`);
    expect(Date.parse(body.tokenExpiresAt) - Date.parse(body.startedAt)).toBe(86_400_000);
    pass(24);
    expect((await owner().post(`/api/runs/${run.id}/renew`)).body.code).toBe('run_finished');
  });

  it('fails while the auth service is unavailable, and keeps the expiry of the run', async () => {
    const { run, expiresAt } = await startRun(home, ada);
    pass(10);
    world.auth.isUnavailable = true;
    const response = await owner().post(`/api/runs/${run.id}/renew`);
    world.auth.isUnavailable = false;
    expect(response.status).toBe(503);
    expect((await owner().get(`/api/runs/${run.id}`)).body.tokenExpiresAt).toBe(expiresAt);
  });
});

describe('ending a run', () => {
  const finish = (id: string, body: object) => owner().post(`/api/runs/${id}/finish`).send(body);

  it('stores the outcome; repeating it is 200, another one 409', async () => {
    const { run } = await startRun(home, ada, { reserveCents: 20 });
    const first = await finish(run.id, { status: 'succeeded', costCents: 7 });
    expect(first.body).toMatchObject({ status: 'succeeded', costCents: 7, reservedCents: 20 });
    expect(first.body.finishedAt).toBe(world.clock.now.toISOString());
    pass(5);
    expect((await finish(run.id, { status: 'succeeded', costCents: 7 })).body).toEqual(first.body);
    expect((await finish(run.id, { status: 'succeeded' })).body).toEqual(first.body);
    for (const other of [{ status: 'failed' }, { status: 'succeeded', costCents: 8 }]) {
      const response = await finish(run.id, other);
      expect([response.status, response.body.code]).toEqual([409, 'run_finished']);
    }
    expect((await owner().post(`/api/runs/${run.id}/cancel`)).body.code).toBe('run_finished');
    expect((await owner().post(`/api/runs/${run.id}/renew`)).body.code).toBe('run_finished');
    expect((await finish(run.id, { status: 'cancelled' })).status).toBe(400);
  });

  it('of another agent or company is 403 before the body is validated, of an unknown one 404', async () => {
    const { run } = await startRun(home, ada);
    const bob = as(world.app, callerOf(await createAgent(home)));
    const bad = { status: 'whatever' };
    const other = await createCompany(world);
    const foreign = await startRun(other, await createAgent(other));
    const codeOf = async (id: string) =>
      (await bob.post(`/api/runs/${id}/finish`).send(bad)).body.code as unknown;
    expect(await codeOf(run.id)).toBe('not_own_agent');
    expect(await codeOf(foreign.run.id)).toBe('cross_company');
    expect(await codeOf(newId())).toBe('not_found');
    const own = as(world.app, await agentWithKey(home, ada));
    expect((await own.post(`/api/runs/${run.id}/finish`).send(bad)).status).toBe(400);
    expect((await own.post(`/api/runs/${run.id}/finish`).send({ status: 'failed' })).status).toBe(
      200,
    );
  });

  it('happens once for concurrent outcomes', async () => {
    const { run } = await startRun(home, ada, { reserveCents: 10 });
    const responses = await Promise.all([
      finish(run.id, { status: 'succeeded', costCents: 1 }),
      finish(run.id, { status: 'failed', costCents: 2 }),
      owner().post(`/api/runs/${run.id}/cancel`),
    ]);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const { budget } = (await owner().get(`/api/agents/${ada.id}`)).body as Agent;
    expect(budget.reservedCents).toBe(0);
    const won = (await owner().get(`/api/runs/${run.id}`)).body as { costCents: number };
    expect(budget.spentCents).toBe(won.costCents);
  });

  it('by cancelling costs the reservation; repeating changes nothing; agents may not', async () => {
    const { run } = await startRun(home, ada, { reserveCents: 9 });
    const byAgent = await as(world.app, callerOf(ada)).post(`/api/runs/${run.id}/cancel`);
    expect(byAgent.body.code).toBe('operator_only');
    const first = await owner().post(`/api/runs/${run.id}/cancel`);
    expect(first.body).toMatchObject({ status: 'cancelled', costCents: 9 });
    pass(5);
    expect((await owner().post(`/api/runs/${run.id}/cancel`)).body).toEqual(first.body);
  });
});

describe('a run whose token expired', () => {
  beforeEach(async () => {
    // Excludes the runs of other tests.
    pass(3600);
    await expireRuns(world.deps.db, world.clock.now);
  });

  it('counts as expired at that moment, and is charged once', async () => {
    const { run } = await startRun(home, ada, { reserveCents: 30, ttlSeconds: 60 });
    pass(60);
    const shown = (await owner().get(`/api/runs/${run.id}`)).body as Record<string, unknown>;
    expect(shown).toMatchObject({
      status: 'expired',
      finishedAt: run.tokenExpiresAt,
      costCents: 30,
    });
    const finished = await owner().post(`/api/runs/${run.id}/finish`).send({ status: 'succeeded' });
    expect(finished.body.code).toBe('run_finished');
    const { db } = world.deps;
    const ended = await Promise.all([1, 2, 3].map(() => expireRuns(db, world.clock.now)));
    expect(ended.toSorted()).toEqual([0, 0, 1]);
    expect((await owner().get(`/api/runs/${run.id}`)).body).toEqual(shown);
    const { budget } = (await owner().get(`/api/agents/${ada.id}`)).body as Agent;
    expect([budget.spentCents, budget.reservedCents]).toEqual([30, 0]);
    const activity = await owner().get(`/api/companies/${home.id}/activity?action=run.expired`);
    expect(activity.body.items).toMatchObject([
      { actor: { kind: 'system', id: null }, entity: { id: run.id } },
    ]);
  });

  it('is found in every company; a renewed run is not expired', async () => {
    const other = await createCompany(world);
    const bob = await createAgent(other);
    const lapsing = [(await startRun(home, ada, { ttlSeconds: 60 })).run];
    lapsing.push((await startRun(other, bob, { ttlSeconds: 60 })).run);
    const renewed = (await startRun(other, bob, { ttlSeconds: 60 })).run;
    pass(30);
    await as(world.app, other.owner).post(`/api/runs/${renewed.id}/renew`);
    pass(30);
    expect(await expireRuns(world.deps.db, world.clock.now)).toBe(2);
    expect(await verify(renewed.id)).not.toBeNull();
    expect(await Promise.all(lapsing.map(({ id }) => verify(id)))).toEqual([null, null]);
  });
});

describe('verifying a run', () => {
  it('returns its agent while it is running', async () => {
    const { run, expiresAt } = await startRun(home, ada);
    expect(await verify(run.id)).toEqual({
      runId: run.id,
      agentId: ada.id,
      companyId: home.id,
      agentName: 'Ada',
      agentStatus: 'active',
      tokenExpiresAt: expiresAt,
    });
    expect(await verify(newId())).toBeNull();
    expect(await verify(ada.id)).toBeNull();
  });

  it.each([
    ['finish', (id: string) => owner().post(`/api/runs/${id}/finish`).send({ status: 'failed' })],
    ['cancel', (id: string) => owner().post(`/api/runs/${id}/cancel`)],
    ['pause', () => owner().post(`/api/agents/${ada.id}/pause`)],
    ['terminate', () => owner().post(`/api/agents/${ada.id}/terminate`)],
    ['archive', () => owner().patch(`/api/companies/${home.id}`).send({ status: 'archived' })],
  ])('is null after %s', async (_what, end) => {
    const { run } = await startRun(home, ada);
    expect((await end(run.id)).status).toBe(200);
    expect(await verify(run.id)).toBeNull();
  });

  it('is null at the moment the token expires', async () => {
    const { run } = await startRun(home, ada, { ttlSeconds: 60 });
    pass(59.999);
    expect(await verify(run.id)).not.toBeNull();
    pass(0.001);
    expect(await verify(run.id)).toBeNull();
  });
});
