import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { as, serviceCaller, until } from '@commonplace/testkit';
import type { PoolClient } from 'pg';
import { createWorld, type World } from '../support/agents-world.ts';
import {
  agentWithKey,
  createAgent,
  createCompany,
  namesOf,
  type TestCompany,
} from '../support/fixtures.ts';

const agentsMax = 12;
let world: World;
let home: TestCompany;
let other: TestCompany;
beforeAll(async () => {
  world = await createWorld({ agentsMax });
});
beforeEach(async () => {
  home = await createCompany(world);
  other = await createCompany(world, 'Neighbour');
});
afterAll(() => world.close());

/** Takes all connections but those of the lookups, as slow queries would, until `free` is called. */
const takeConnections = async (): Promise<{ readonly free: () => void }> => {
  const { pool } = world.deps.db;
  const clients: PoolClient[] = await Promise.all(
    Array.from({ length: pool.options.max }, () => pool.connect()),
  );
  return { free: () => clients.forEach((client) => client.release()) };
};

const chartOf = ({ id, owner }: TestCompany, etag?: string) =>
  as(world.app, owner)
    .get(`/api/companies/${id}/org-chart`)
    .set(etag === undefined ? {} : { 'If-None-Match': etag });
const listOf = ({ id, owner }: TestCompany) =>
  as(world.app, owner).get(`/api/companies/${id}/agents`);
const codesOf = (responses: readonly { readonly body: { code?: string } }[]) =>
  responses.map(({ body: { code = 'ok' } }) => code);

describe('a flood of one company', () => {
  it('of lists fills its own queue only, and lookups of credentials do not wait for it', async () => {
    const agent = await createAgent(home);
    const verify = () =>
      as(world.app, serviceCaller('gateway'))
        .post('/internal/keys/verify')
        .send({ digests: ['0'.repeat(64)] });
    // Opens the connections of the lookups: on a busy machine that takes a while.
    await Promise.all([verify(), verify(), verify()]);
    const taken = await takeConnections();
    const flood = Array.from({ length: 150 }, () => listOf(home).then((response) => response));
    const beside = listOf(other).then((response) => response);
    const [key, one] = await Promise.all([
      verify(),
      as(world.app, home.owner).get(`/api/agents/${agent.id}`),
    ]).finally(taken.free);
    expect([key.body, one.status]).toEqual([{ key: null }, 200]);
    const codes = codesOf(await Promise.all(flood));
    expect(codes).toContain('busy');
    expect(codes.filter((code) => code === 'ok').length).toBeGreaterThanOrEqual(100);
    expect((await beside).status).toBe(200);
  });

  it('of changes of an agent keeps no operator from revoking its key', async () => {
    const agent = await createAgent(home);
    const caller = await agentWithKey(home, agent);
    const codes: string[] = [];
    const record = ({ status, body }: { status: number; body: { code?: string } }) =>
      void codes.push(body.code ?? String(status));
    const taken = await takeConnections();
    const flood = Array.from({ length: 520 }, () =>
      as(world.app, caller).post(`/api/agents/${agent.id}/runs`).send({}).then(record),
    );
    // Three run and 500 wait; the others are rejected.
    await until(() => codes.length === 17);
    const revoked = as(world.app, home.owner)
      .delete(`/api/agents/${agent.id}/keys/${caller.keyId}`)
      .then(({ status }) => void codes.push(`revoked ${status}`));
    // One more, which has lost its place to the operator.
    await until(() => codes.length === 18).finally(taken.free);
    await revoked;
    const before = codes.slice(0, codes.indexOf('revoked 204'));
    expect(before.slice(0, 18)).toEqual(Array.from({ length: 18 }, () => 'busy'));
    // Those of the other slots, and not the five hundred before it.
    expect(before.length).toBeLessThan(100);
    await Promise.all(flood);
  });

  it('whose clients have gone is not carried out', async () => {
    let [arrived, closed] = [0, 0];
    const counted: RequestListener = (req, res) => {
      arrived += 1;
      res.once('close', () => (closed += 1));
      world.app(req, res);
    };
    const create = (app: RequestListener, name: string) =>
      as(app, home.owner).post(`/api/companies/${home.id}/agents`).send({ name, role: 'engineer' });
    const taken = await takeConnections();
    const sent = Array.from({ length: 10 }, () => create(counted, 'Gone'));
    sent.forEach((test) => void test.end(() => undefined));
    await until(() => arrived === 10);
    sent.forEach((test) => void test.abort());
    await until(() => closed === 10).finally(taken.free);
    expect((await create(world.app, 'Ada')).status).toBe(201);
    const { body } = await listOf(home);
    // Three had a slot, and had begun.
    expect(namesOf(body).filter((name) => name === 'Gone').length).toBeLessThanOrEqual(3);
  });

  it('of org charts reads each chart at most a few times, and returns it to all', async () => {
    await createAgent(home);
    const before = await chartOf(home);
    const { pool } = world.deps.db;
    let [arrived, reads] = [0, 0];
    const counted: RequestListener = (...exchange) => {
      arrived += 1;
      world.app(...exchange);
    };
    const path = `/api/companies/${home.id}/org-chart`;
    const taken = await takeConnections();
    const count = () => {
      reads += 1;
    };
    pool.on('acquire', count);
    const flood = Array.from({ length: 32 }, () =>
      as(counted, home.owner)
        .get(path)
        .then(({ body }) => body as object),
    );
    // The first read waits for a connection until all have come.
    await until(() => arrived === flood.length).finally(taken.free);
    expect(await Promise.all(flood)).toEqual(flood.map(() => before.body));
    pool.off('acquire', count);
    expect(reads).toBeLessThan(16);
  });
});

describe('the org chart', () => {
  it('has an ETag that any change of an agent changes', async () => {
    const boss = await createAgent(home, { name: 'Boss "B", é' });
    const ada = await createAgent(home, { name: 'Ada', reportsTo: boss.id });
    const first = await chartOf(home);
    expect(first.body).toEqual({
      roots: [
        {
          id: boss.id,
          name: 'Boss "B", é',
          title: '',
          role: 'engineer',
          status: 'active',
          reports: [
            { id: ada.id, name: 'Ada', title: '', role: 'engineer', status: 'active', reports: [] },
          ],
        },
      ],
    });
    const etag = String(first.headers['etag']);
    expect((await chartOf(home, etag)).status).toBe(304);
    await as(world.app, home.owner).post(`/api/agents/${ada.id}/pause`).expect(200);
    const second = await chartOf(home, etag);
    expect([second.status, second.headers['etag'] === etag]).toEqual([200, false]);
  });

  it('is an empty list for a company without agents', async () => {
    expect((await chartOf(home)).body).toEqual({ roots: [] });
  });
});

describe('the agents of a company', () => {
  it('are limited, also for concurrent requests; terminated ones count', async () => {
    const create = () =>
      as(world.app, home.owner)
        .post(`/api/companies/${home.id}/agents`)
        .send({ name: 'Ada', role: 'engineer' });
    const responses = await Promise.all(Array.from({ length: agentsMax + 4 }, create));
    const codes = codesOf(responses);
    expect(codes.filter((code) => code === 'ok')).toHaveLength(agentsMax);
    expect(codes.filter((code) => code === 'agent_limit')).toHaveLength(4);
    const created = responses.find(({ status }) => status === 201);
    await as(world.app, home.owner).post(`/api/agents/${created?.body.id}/terminate`).expect(200);
    expect(codesOf([await create()])).toEqual(['agent_limit']);
    expect((await createAgent(other)).companyId).toBe(other.id);
  });
});
