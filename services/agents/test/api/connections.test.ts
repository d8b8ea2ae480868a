import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connectionId, localOperatorId, newId } from '@commonplace/contracts';
import { apiKeyDigests, makeConnectionToken, pepperKeys } from '@commonplace/identity';
import { as, serviceCaller } from '@commonplace/testkit';
import { endConnectionsOfOperators } from '../../src/commands/end-connections-of-operators.ts';
import { deleteExpiredTokens } from '../../src/queries/connection-tokens.ts';
import { write } from '@commonplace/db';
import { createWorld, currentPepper, olderPepper, type World } from '../support/agents-world.ts';
import {
  addMember,
  callerOf,
  consentOf,
  createAgent,
  createCompany,
  createConnection,
  createKey,
  type TestCompany,
} from '../support/fixtures.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const auth = () => as(world.app, serviceCaller('auth'));

const verify = async (token: string) => {
  const response = await as(world.app, serviceCaller('gateway'))
    .post('/internal/connections/verify')
    .send({ digests: apiKeyDigests(pepperKeys([currentPepper, olderPepper]), token) });
  expect(response.status).toBe(200);
  return response.body.connection as Record<string, unknown> | null;
};

/** Status and code of a consent. */
const consent = async (home: TestCompany, fields: Record<string, unknown>) => {
  const response = await auth().post('/internal/connections/create').send(consentOf(home, fields));
  return [response.status, (response.body as { code?: string }).code ?? null];
};

const setUp = async (fields: Record<string, unknown> = {}) => {
  const home = await createCompany(world);
  const ada = await createAgent(home);
  const connection = await createConnection(home, ada, fields);
  return { home, ada, ...connection };
};

const later = (seconds: number) => new Date(world.clock.now.getTime() + seconds * 1000);

const auditOf = async (id: string) =>
  (
    await world.sql(
      'select action, actor_kind, detail from agents.activity where entity_id = $1 order by at, id',
      [id],
    )
  ).map(({ action, actor_kind: kind, detail }) => [
    action,
    kind,
    (detail as { because?: string }).because ?? null,
  ]);

describe('a consent', () => {
  it('that is repeated with its id gives the same connection and agent, also at once', async () => {
    const home = await createCompany(world);
    const id = newId();
    const fields = { connectionId: id, agent: { name: 'Claude' } };
    const first = await Promise.all([1, 2, 3].map(() => consent(home, fields)));
    expect(first).toEqual([1, 2, 3].map(() => [201, null]));
    const { body } = await as(world.app, home.owner).get(`/api/companies/${home.id}/agents`);
    expect((body as { items: unknown[] }).items).toHaveLength(1);
    const read = await as(world.app, home.owner).get(`/api/connections/${id}`);
    expect(read.status).toBe(200);
    await as(world.app, home.owner).delete(`/api/connections/${id}`).expect(204);
    expect(await consent(home, fields)).toEqual([409, 'connection_ended']);
  });

  it('gives a connection that the API shows, and nothing stored reveals its token', async () => {
    const { home, ada, id, token } = await setUp();
    const read = await as(world.app, home.owner).get(`/api/connections/${id}`);
    expect(read.body).toEqual({
      id,
      companyId: home.id,
      agentId: ada.id,
      client: { id: 'client-1', name: 'Claude', host: 'claude.ai' },
      scopes: ['notes:read', 'notes:write'],
      grants: null,
      createdBy: { kind: 'operator', id: home.owner.operatorId },
      createdAt: world.clock.now.toISOString(),
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    });
    const dump = JSON.stringify([
      await world.sql('select * from agents.connections'),
      await world.sql('select * from agents.activity'),
      await world.sql(`select encode(digest, 'escape') from agents.connection_tokens`),
    ]);
    expect(dump).not.toContain(token);
    expect(await auditOf(id)).toEqual([['connection.created', 'operator', null]]);
  });

  it('creates an agent with the name of the client, for operators', async () => {
    const home = await createCompany(world);
    const { operatorId } = await addMember(home, 'operator');
    expect(await consent(home, { operatorId, agent: { name: 'Claude' } })).toEqual([201, null]);
    const agents = await as(world.app, home.owner).get(`/api/companies/${home.id}/agents`);
    expect(agents.body.items).toMatchObject([{ name: 'Claude', role: 'assistant' }]);
  });

  it('of a viewer is for notes:read of an agent that exists', async () => {
    const home = await createCompany(world);
    const { id: agentId } = await createAgent(home);
    const { operatorId } = await addMember(home, 'viewer');
    const of = (fields: object) => consent(home, { operatorId, ...fields });
    expect(await of({ agent: { agentId }, scopes: ['notes:read'] })).toEqual([201, null]);
    const refused = [403, 'role_insufficient'];
    expect(await of({ agent: { agentId } })).toEqual(refused);
    expect(await of({ agent: { agentId }, scopes: ['agents:read'] })).toEqual(refused);
    expect(await of({ agent: { name: 'Mine' }, scopes: ['notes:read'] })).toEqual(refused);
  });

  it('of a viewer leaves others theirs: a viewer has five active connections of an agent at most', async () => {
    const home = await createCompany(world);
    const { id: agentId } = await createAgent(home);
    const { operatorId } = await addMember(home, 'viewer');
    const other = await addMember(home, 'viewer');
    const agent = { agentId };
    const of = (operator: string) =>
      consent(home, { operatorId: operator, agent, scopes: ['notes:read'] });
    for (let count = 0; count < 5; count += 1) {
      expect(await of(operatorId)).toEqual([201, null]);
    }
    expect(await of(operatorId)).toEqual([409, 'connection_limit']);
    expect(await of(other.operatorId)).toEqual([201, null]);
    expect(await consent(home, { agent })).toEqual([201, null]);
  });

  it('is refused to operators who are no members or disabled, and for what cannot be connected', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const agent = { agentId: ada.id };
    const other = await createCompany(world);
    const foreign = { agentId: (await createAgent(other)).id };
    const { operatorId } = other.owner;
    expect(await consent(home, { operatorId, agent })).toEqual([403, 'cross_company']);
    expect(await consent(home, { companyId: newId(), agent })).toEqual([403, 'cross_company']);
    expect(await consent(home, { agent: foreign })).toEqual([403, 'cross_company']);
    expect(await consent(home, { agent: { agentId: newId() } })).toEqual([404, 'not_found']);
    expect(await consent(home, { agent, scopes: ['runs:write'] })).toEqual([
      400,
      'validation_failed',
    ]);
    const expiresAt = '2020-01-01T00:00:00.000Z';
    expect(await consent(home, { agent, expiresAt })).toEqual([400, 'validation_failed']);
    expect(await consent(home, { operatorId: localOperatorId, agent })).toEqual([
      403,
      'cross_company',
    ]);
    world.auth.disabled.add(home.owner.operatorId);
    expect(await consent(home, { agent })).toEqual([401, 'session_expired']);
    world.auth.disabled.clear();
    await as(world.app, home.owner).post(`/api/agents/${ada.id}/terminate`);
    expect(await consent(home, { agent })).toEqual([409, 'agent_terminated']);
  });

  it('to everything needs a recent sign-in in a company without such a credential', async () => {
    const home = await createCompany(world);
    const ada = await createAgent(home);
    const scopes = ['notes:read', 'notes:write', 'agents:read'];
    const agent = { agentId: ada.id };
    world.auth.stale.add(home.owner.operatorId);
    expect(await consent(home, { agent, scopes })).toEqual([403, 'reauthentication_required']);
    expect(await consent(home, { agent })).toEqual([201, null]);
    world.auth.stale.clear();
    await createKey(home, ada);
    world.auth.stale.add(home.owner.operatorId);
    expect(await consent(home, { agent, scopes })).toEqual([201, null]);
    world.auth.stale.clear();
  });

  it('gives an agent 50 active connections at most', async () => {
    const { home, ada } = await setUp();
    await world.sql(
      `insert into agents.connections (company_id, id, agent_id, client_id, client_name, client_host, scopes,
         created_by, created_at)
       select company_id, gen_random_uuid(), agent_id, client_id, client_name, client_host, scopes,
         created_by, created_at
       from agents.connections, generate_series(1, 48) where agent_id = $1`,
      [ada.id],
    );
    const agent = { agentId: ada.id };
    const outcomes = await Promise.all([consent(home, { agent }), consent(home, { agent })]);
    expect(outcomes.toSorted()).toEqual([
      [201, null],
      [409, 'connection_limit'],
    ]);
  });
});

describe('an access token', () => {
  it('is found by any pepper and says what the connection may do, and when it ends', async () => {
    const { home, ada, id, token } = await setUp();
    expect(await verify(token)).toEqual({
      connectionId: id,
      companyId: home.id,
      agentId: ada.id,
      agentName: 'Ada',
      agentStatus: 'active',
      expiresAt: later(3600).toISOString(),
      scopes: ['notes:read', 'notes:write'],
      resource: '/connect/mcp',
      client: { name: 'Claude', host: 'claude.ai' },
    });
    expect(await verify(makeConnectionToken())).toBeNull();
    await world.deps.connectionUsage.flush();
    const read = await as(world.app, home.owner).get(`/api/connections/${id}`);
    expect(read.body.lastUsedAt).toBe(world.clock.now.toISOString());
  });

  it('ends alone, with its connection, or with all of it', async () => {
    const { id, token } = await setUp();
    const second = makeConnectionToken();
    const expiresAt = later(60).toISOString();
    const issue = async (each: string) =>
      (
        await auth()
          .post('/internal/connections/issue-token')
          .send({ connectionId: id, token: each, expiresAt })
      ).body.code as unknown;
    expect([await issue(second), await issue(second)]).toEqual([undefined, undefined]);
    await auth().post('/internal/connections/end-tokens').send({ connectionId: id, token });
    expect([await verify(token), (await verify(second)) !== null]).toEqual([null, true]);
    await auth().post('/internal/connections/end-tokens').send({ connectionId: id });
    expect(await verify(second)).toBeNull();
    expect(await issue(token)).toBeUndefined();
    const end = { connectionId: id, reason: 'refresh_token_reused' };
    expect((await auth().post('/internal/connections/end').send(end)).status).toBe(200);
    expect((await auth().post('/internal/connections/end').send(end)).status).toBe(200);
    expect([await verify(token), await issue(second)]).toEqual([null, 'connection_ended']);
    expect(await auditOf(id)).toEqual([
      ['connection.created', 'operator', null],
      ['connection.revoked', 'system', 'refresh_token_reused'],
    ]);
    const unknown = { connectionId: newId(), token, expiresAt };
    const response = await auth().post('/internal/connections/issue-token').send(unknown);
    expect(response.body.code).toBe('not_found');
  });

  it('ends with its time and with that of its connection, and its row goes', async () => {
    const { token } = await setUp({ expiresAt: later(60).toISOString() });
    const { token: longer } = await setUp();
    world.clock.now = later(60);
    expect([await verify(token), (await verify(longer)) !== null]).toEqual([null, true]);
    world.clock.now = later(3600);
    expect(await verify(longer)).toBeNull();
    const purge = () =>
      write(world.deps.db, 'global', (tx) => deleteExpiredTokens(tx, world.clock.now, 1000));
    expect([(await purge()) > 0, await purge()]).toEqual([true, 0]);
  });

  it('is not one of the local board operator where operators have accounts', async () => {
    const { id, token } = await setUp();
    await world.sql('update agents.connections set created_by = $2 where id = $1', [
      id,
      localOperatorId,
    ]);
    expect(await verify(token)).toBeNull();
  });
});

describe('a connection ends', () => {
  it('when an operator revokes it; viewers revoke their own', async () => {
    const { home, ada, id, token } = await setUp();
    const viewer = await addMember(home, 'viewer');
    const own = await createConnection(home, ada, {
      operatorId: viewer.operatorId,
      scopes: ['notes:read'],
    });
    const revoke = async (caller: Parameters<typeof as>[1], each: string) =>
      (await as(world.app, caller).delete(`/api/connections/${each}`)).status;
    expect(await revoke(callerOf(ada), id)).toBe(403);
    expect(await revoke(viewer, id)).toBe(403);
    expect(await revoke((await createCompany(world)).owner, id)).toBe(403);
    expect(await revoke(viewer, own.id)).toBe(204);
    const operator = await addMember(home, 'operator');
    expect([await revoke(operator, id), await revoke(operator, id)]).toEqual([204, 204]);
    expect([await verify(token), await verify(own.token)]).toEqual([null, null]);
    expect(await auditOf(id)).toEqual([
      ['connection.created', 'operator', null],
      ['connection.revoked', 'operator', null],
    ]);
    expect(await revoke(operator, newId())).toBe(404);
  });

  it.each([
    ['its agent is terminated', 'agent terminated'],
    ['its company is archived, also if that is undone', 'company archived'],
    ['its operator leaves, also if it comes back', 'operator removed'],
    ['its operator is disabled, also if it is enabled again', 'operator disabled'],
    ['another person gets the account of its operator', 'access to the account was removed'],
  ])('when %s', async (_what, because) => {
    const home = await createCompany(world);
    const member = await addMember(home, 'operator');
    const ada = await createAgent(home);
    const { id, token } = await createConnection(home, ada, { operatorId: member.operatorId });
    const owner = () => as(world.app, home.owner);
    const end: Record<string, () => Promise<unknown>> = {
      'agent terminated': async () => owner().post(`/api/agents/${ada.id}/terminate`),
      'company archived': async () =>
        owner().patch(`/api/companies/${home.id}`).send({ status: 'archived' }),
      'operator removed': async () =>
        owner().delete(`/api/companies/${home.id}/members/${member.operatorId}`),
      'operator disabled': async () => world.auth.disabled.add(member.operatorId),
      'access to the account was removed': async () => world.auth.epochs.set(member.operatorId, 1),
    };
    await end[because]?.();
    expect(await verify(token)).toBeNull();
    await endConnectionsOfOperators(world.deps);
    world.auth.disabled.clear();
    await owner().patch(`/api/companies/${home.id}`).send({ status: 'active' });
    expect(await verify(token)).toBeNull();
    expect((await auditOf(id)).at(-1)?.[2]).toBe(because);
  });

  it('once: the sweep ends no expired one, and finds nothing more of its operator', async () => {
    const home = await createCompany(world);
    const member = await addMember(home, 'operator');
    const ada = await createAgent(home);
    const { operatorId } = member;
    const expiring = await createConnection(home, ada, {
      operatorId,
      expiresAt: later(7_200).toISOString(),
    });
    const { now } = world.clock;
    world.clock.now = later(7_201);
    const active = await createConnection(home, ada, { operatorId });
    world.auth.disabled.add(operatorId);
    const rounds = [
      await endConnectionsOfOperators(world.deps),
      await endConnectionsOfOperators(world.deps),
    ];
    world.auth.disabled.clear();
    world.clock.now = now;
    expect(rounds).toEqual([1, 0]);
    const ends = async (id: string) => (await auditOf(id)).map(([action]) => action);
    expect(await ends(active.id)).toEqual(['connection.created', 'connection.revoked']);
    expect(await ends(expiring.id)).toEqual(['connection.created']);
  });

  it('never, but pauses with its agent and is narrowed with the role of its operator', async () => {
    const home = await createCompany(world);
    const member = await addMember(home, 'operator');
    const ada = await createAgent(home);
    const { token } = await createConnection(home, ada, { operatorId: member.operatorId });
    await as(world.app, home.owner).post(`/api/agents/${ada.id}/pause`);
    expect(await verify(token)).toMatchObject({ agentStatus: 'paused' });
    await as(world.app, home.owner)
      .patch(`/api/companies/${home.id}/members/${member.operatorId}`)
      .send({ role: 'viewer' });
    expect(await verify(token)).toMatchObject({ scopes: ['notes:read'] });
    await endConnectionsOfOperators(world.deps);
    expect(await verify(token)).not.toBeNull();
  });
});

describe('an agent by connection', () => {
  it('reads who it is, and for which client; it has no run', async () => {
    const { ada, id } = await setUp();
    const client = { name: 'Claude', host: 'claude.ai' };
    const scopes = ['notes:read'] as const;
    const connection = { id: connectionId.parse(id), client };
    const caller = callerOf(ada, { keyId: null, connection, scopes });
    const me = await as(world.app, caller).get('/api/agents/me');
    expect(me.body.credential).toEqual({
      kind: 'connection',
      connectionId: id,
      client,
      scopes,
      grants: null,
      expiresAt: null,
    });
    const all = { ...caller, scopes: null };
    const started = await as(world.app, all).post(`/api/agents/${ada.id}/runs`).send({});
    expect([started.status, started.body.code]).toEqual([403, 'key_required']);
  });

  it('is checked again by what it may do now', async () => {
    const { home, ada, id } = await setUp();
    const check = async () => {
      const body = { companyId: home.id, agentId: ada.id, connectionId: id };
      const notes = as(world.app, serviceCaller('notes'));
      return (await notes.post('/internal/agents/check').send(body)).body.agent as unknown;
    };
    expect(await check()).toMatchObject({ scopes: ['notes:read', 'notes:write'] });
    await as(world.app, home.owner).delete(`/api/connections/${id}`);
    expect(await check()).toBeNull();
  });
});

describe('a list of connections', () => {
  it('is that of the company or of an agent, newest first, in pages; operators only', async () => {
    const { home, ada, id } = await setUp();
    const bob = await createAgent(home, { name: 'Bob' });
    world.clock.now = later(1);
    const second = await createConnection(home, bob);
    world.clock.now = later(1);
    const third = await createConnection(home, ada);
    const path = `/api/companies/${home.id}/connections`;
    const idsOf = async (query: string) => {
      const { body } = await as(world.app, home.owner).get(path + query);
      return [(body.items as { id: string }[]).map((each) => each.id), body.nextCursor] as const;
    };
    expect((await idsOf(''))[0]).toEqual([third.id, second.id, id]);
    expect((await idsOf(`?agentId=${ada.id}`))[0]).toEqual([third.id, id]);
    const [first, cursor] = await idsOf(`?agentId=${ada.id}&limit=1`);
    expect(first).toEqual([third.id]);
    expect((await idsOf(`?agentId=${ada.id}&limit=1&cursor=${cursor}`))[0]).toEqual([id]);
    await as(world.app, home.owner).delete(`/api/connections/${id}`);
    expect((await idsOf('?active=true'))[0]).toEqual([third.id, second.id]);
    expect((await idsOf('?active=false'))[0]).toEqual([id]);
    const soon = later(60).toISOString();
    expect((await idsOf(`?unusedSince=${soon}`))[0]).toEqual([third.id, second.id]);
    expect((await idsOf(`?expiresBefore=${soon}`))[0]).toEqual([]);
    expect((await as(world.app, callerOf(ada)).get(path)).status).toBe(403);
    expect((await as(world.app, (await createCompany(world)).owner).get(path)).status).toBe(403);
  });
});
