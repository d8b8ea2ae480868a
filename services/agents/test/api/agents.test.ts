import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keyId, newId, runId, scopes, type Agent } from '@commonplace/contracts';
import { agentCaller, as, serviceCaller } from '@commonplace/testkit';
import { createWorld, type World } from '../support/agents-world.ts';
import {
  callerOf,
  createCompany,
  createKey,
  createAgent,
  addMember,
  namesOf,
  startRun,
} from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('creating an agent', () => {
  it('needs name and role, and defaults the rest', async () => {
    const home = await createCompany(world);
    const agent = await createAgent(home, { name: 'Ada', role: 'engineer' });
    expect(agent).toMatchObject({
      companyId: home.id,
      name: 'Ada',
      title: '',
      role: 'engineer',
      status: 'active',
      reportsTo: null,
      chainOfCommand: [],
      budget: { monthlyCents: null, spentCents: 0, reservedCents: 0, remainingCents: null },
    });
    const month = world.clock.now.toISOString().slice(0, 7);
    expect(agent.budget.periodStart).toBe(`${month}-01T00:00:00.000Z`);
    expect(new Date(agent.budget.periodEnd).getUTCDate()).toBe(1);
    expect((await as(world.app, home.owner).get(`/api/agents/${agent.id}`)).body).toEqual(agent);
  });

  it('is allowed to operators and owners', async () => {
    const home = await createCompany(world);
    const agent = await createAgent(home);
    const post = (caller: Parameters<typeof as>[1]) =>
      as(world.app, caller).post(`/api/companies/${home.id}/agents`).send({ name: 'B', role: 'r' });
    expect((await post(await addMember(home, 'operator'))).status).toBe(201);
    expect((await post(await addMember(home, 'viewer'))).body.code).toBe('role_insufficient');
    expect((await post(callerOf(agent))).body.code).toBe('operator_only');
  });

  it.each([
    ['a role of 65 characters', { role: 'x'.repeat(65) }],
    ['an empty role', { role: '' }],
    ['a budget that is negative', { budget: { monthlyCents: -1 } }],
    ['a budget of half a cent', { budget: { monthlyCents: 0.5 } }],
    ['a budget beyond all sense', { budget: { monthlyCents: 1e15 } }],
    ['a manager that is no id', { reportsTo: 'boss' }],
    ['an unknown field', { status: 'active' }],
    ['a control character', { title: 'a\tb' }],
  ])('rejects %s with 400', async (_what, fields) => {
    const home = await createCompany(world);
    const response = await as(world.app, home.owner)
      .post(`/api/companies/${home.id}/agents`)
      .send({ name: 'Ada', role: 'engineer', ...fields });
    expect([response.status, response.body.code]).toEqual([400, 'validation_failed']);
  });
});

describe('reading agents', () => {
  it('returns 403 for another company and 404 for an unknown id', async () => {
    const home = await createCompany(world);
    const agent = await createAgent(home);
    const otherCompany = await createCompany(world);
    const outsiders = [
      otherCompany.owner,
      callerOf(await createAgent(otherCompany)),
      agentCaller(),
    ];
    for (const caller of outsiders) {
      expect((await as(world.app, caller).get(`/api/agents/${agent.id}`)).body.code).toBe(
        'cross_company',
      );
      expect((await as(world.app, caller).get(`/api/agents/${newId()}`)).body.code).toBe(
        'not_found',
      );
      const list = await as(world.app, caller).get(`/api/companies/${home.id}/agents`);
      expect(list.status).toBe(403);
    }
    expect((await as(world.app, null).get(`/api/agents/${agent.id}`)).status).toBe(401);
  });

  it('lists by name in pages, filtered by status, text and manager', async () => {
    const home = await createCompany(world);
    const boss = await createAgent(home, { name: 'Boss', role: 'lead' });
    const carl = await createAgent(home, {
      name: 'Carl 100%',
      reportsTo: boss.id,
      title: 'Tester',
    });
    await createAgent(home, { name: 'Anna', reportsTo: carl.id });
    await as(world.app, home.owner).post(`/api/agents/${carl.id}/pause`);
    const viewer = as(world.app, await addMember(home, 'viewer'));
    const list = async (query = '') =>
      namesOf((await viewer.get(`/api/companies/${home.id}/agents${query}`)).body);
    expect(await list()).toEqual(['Anna', 'Boss', 'Carl 100%']);
    expect(await list('?status=paused')).toEqual(['Carl 100%']);
    expect(await list('?q=TEST')).toEqual(['Carl 100%']);
    expect(await list('?q=%25')).toEqual(['Carl 100%']);
    expect(await list('?q=_')).toEqual([]);
    expect(await list(`?reportsTo=${boss.id}`)).toEqual(['Carl 100%']);
    const first = await viewer.get(`/api/companies/${home.id}/agents?limit=1&status=active`);
    expect(await list(`?limit=1&status=active&cursor=${first.body.nextCursor}`)).toEqual(['Boss']);
    const mixed = await viewer.get(
      `/api/companies/${home.id}/agents?status=paused&cursor=${first.body.nextCursor}`,
    );
    expect(mixed.status).toBe(400);
  });

  it('returns the chain of command of every listed agent, nearest manager first', async () => {
    const home = await createCompany(world);
    const top = await createAgent(home, { name: 'Top', title: 'CEO', role: 'lead' });
    const middle = await createAgent(home, { name: 'Middle', reportsTo: top.id });
    const low = await createAgent(home, { name: 'Low', reportsTo: middle.id });
    expect(low.chainOfCommand).toEqual([
      { id: middle.id, name: 'Middle', title: '', role: 'engineer' },
      { id: top.id, name: 'Top', title: 'CEO', role: 'lead' },
    ]);
    const listed = await as(world.app, home.owner).get(`/api/companies/${home.id}/agents`);
    const chains = (listed.body.items as Agent[]).map((agent) =>
      agent.chainOfCommand.map(({ name }) => name),
    );
    expect(chains).toEqual([['Middle', 'Top'], ['Top'], []]);
  });

  it('returns the org chart from the roots down, to agents too', async () => {
    const home = await createCompany(world);
    const top = await createAgent(home, { name: 'Top' });
    await createAgent(home, { name: 'Low', reportsTo: top.id });
    const chart = await as(world.app, callerOf(top)).get(`/api/companies/${home.id}/org-chart`);
    expect(chart.body.roots).toMatchObject([
      { name: 'Top', status: 'active', reports: [{ name: 'Low', reports: [] }] },
    ]);
  });
});

describe('an agent about itself', () => {
  it('reads its own record and its credential', async () => {
    const home = await createCompany(world);
    const agent = await createAgent(home, { name: 'Ada' });
    const byKey = callerOf(agent, { keyId: keyId.parse(newId()), expiresAt: null });
    const me = await as(world.app, byKey).get('/api/agents/me');
    expect(me.body).toMatchObject({
      ...agent,
      credential: { kind: 'key', keyId: byKey.keyId, expiresAt: null },
    });
    const expiresAt = new Date().toISOString();
    const byRun = callerOf(agent, { runId: runId.parse(newId()), expiresAt });
    const again = await as(world.app, byRun).get('/api/agents/me');
    const rights = { scopes: [...scopes], grants: null };
    const credential = { kind: 'run', runId: byRun.runId, expiresAt, ...rights };
    expect(again.body.credential).toEqual(credential);
  });

  it('rejects operators: 403 agent_only', async () => {
    const home = await createCompany(world);
    const response = await as(world.app, home.owner).get('/api/agents/me');
    expect([response.status, response.body.code]).toEqual([403, 'agent_only']);
  });
});

describe('updating an agent', () => {
  it('changes the given fields only, and logs old and new values', async () => {
    const home = await createCompany(world);
    const boss = await createAgent(home, { name: 'Boss' });
    const ada = await createAgent(home, { name: 'Ada' });
    const patch = (body: object) =>
      as(world.app, home.owner).patch(`/api/agents/${ada.id}`).send(body);
    expect((await patch({ budget: { monthlyCents: 500 } })).body.budget.remainingCents).toBe(500);
    const changed = await patch({ title: 'Dr', reportsTo: boss.id });
    expect(changed.body).toMatchObject({ name: 'Ada', title: 'Dr', reportsTo: boss.id });
    expect((await patch({ reportsTo: null, budget: { monthlyCents: null } })).body).toMatchObject({
      reportsTo: null,
      budget: { monthlyCents: null, remainingCents: null },
    });
    expect((await patch({})).status).toBe(200);
    const activity = await as(world.app, home.owner).get(
      `/api/companies/${home.id}/activity?entityId=${ada.id}&action=agent.updated`,
    );
    expect(activity.body.items).toHaveLength(3);
    expect(activity.body.items[1].detail).toEqual({
      title: { from: '', to: 'Dr' },
      reportsTo: { from: null, to: boss.id },
    });
  });

  it('returns 403 before validating the body, for viewers, agents and other companies', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const viewer = await addMember(home, 'viewer');
    for (const caller of [viewer, callerOf(ada), (await createCompany(world)).owner]) {
      const response = await as(world.app, caller).patch(`/api/agents/${ada.id}`).send({ bad: 1 });
      expect(response.status).toBe(403);
    }
  });
});

describe('the status of an agent', () => {
  it('paused: cancels its runs and keeps its keys; repeating changes nothing', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const { run } = await startRun(home, ada);
    await createKey(home, ada);
    const call = as(world.app, home.owner);
    expect((await call.post(`/api/agents/${ada.id}/pause`)).body.status).toBe('paused');
    expect((await call.post(`/api/agents/${ada.id}/pause`)).body.status).toBe('paused');
    expect((await call.get(`/api/runs/${run.id}`)).body.status).toBe('cancelled');
    const keys = await call.get(`/api/agents/${ada.id}/keys`);
    expect(namesOf(keys.body, 'revokedAt')).toEqual([null]);
    expect((await call.post(`/api/agents/${ada.id}/runs`).send({})).body.code).toBe('agent_paused');
    expect((await call.post(`/api/agents/${ada.id}/resume`)).body.status).toBe('active');
    expect((await call.post(`/api/agents/${ada.id}/resume`)).status).toBe(200);
    await startRun(home, ada);
  });

  it('terminated: final, cancels its runs, revokes its keys; reads still work, reports keep their manager', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const bob = await createAgent(home, { name: 'Bob', reportsTo: ada.id });
    const { run } = await startRun(home, ada);
    const key = await createKey(home, ada);
    const call = as(world.app, home.owner);
    const path = `/api/agents/${ada.id}`;
    expect((await call.post(`${path}/terminate`)).body.status).toBe('terminated');
    expect((await call.post(`${path}/terminate`)).status).toBe(200);
    expect((await call.get(`/api/runs/${run.id}`)).body.status).toBe('cancelled');
    expect((await call.get(`${path}/keys`)).body.items[0].revokedAt).not.toBeNull();
    expect((await call.delete(`${path}/keys/${key.id}`)).status).toBe(204);
    const refused = [
      await call.patch(path).send({ name: 'Zombie' }),
      await call.post(`${path}/pause`),
      await call.post(`${path}/resume`),
      await call.post(`${path}/keys`).send({ name: 'k' }),
      await call.post(`${path}/keys/${key.id}/rotate`).send({}),
      await call.post(`${path}/runs`).send({}),
    ];
    expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => 'agent_terminated'));
    expect((await call.get(`/api/agents/${bob.id}`)).body.reportsTo).toBe(ada.id);
    const chart = await call.get(`/api/companies/${home.id}/org-chart`);
    expect(chart.body.roots).toMatchObject([{ status: 'terminated', reports: [{ name: 'Bob' }] }]);
  });

  it('reports to the notes service whether background work may continue', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const check = async (companyId: string, agentId: string) =>
      (
        await as(world.app, serviceCaller('notes'))
          .post('/internal/agents/check')
          .send({ companyId, agentId })
      ).body.agent as unknown;
    expect(await check(home.id, ada.id)).toEqual({
      agentStatus: 'active',
      companyStatus: 'active',
    });
    expect(await check((await createCompany(world)).id, ada.id)).toBeNull();
  });
});
