import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId, sessionId } from '@commonplace/contracts';
import type { OperatorCaller } from '@commonplace/identity';
import { as, localOperatorCaller } from '@commonplace/testkit';
import { createWorld, type World } from '../support/agents-world.ts';
import {
  addMember,
  createAgent,
  createCompany,
  createKey,
  type TestCompany,
} from '../support/fixtures.ts';

let world: World;
let home: TestCompany;
let stale: OperatorCaller;
beforeAll(async () => {
  world = await createWorld();
});
beforeEach(async () => {
  home = await createCompany(world);
  stale = { ...home.owner, sessionId: sessionId.parse(newId()) };
  world.auth.stale.add(stale.operatorId);
});
afterAll(() => world.close());

const refusal = { status: 403, code: 'reauthentication_required' };

/** Sends the same request twice: with an old sign-in, and after it was confirmed. */
const twice = async (method: 'post' | 'patch', path: string, body: object) => {
  const refused = await as(world.app, stale)[method](path).send(body);
  world.auth.stale.delete(stale.operatorId);
  const accepted = await as(world.app, stale)[method](path).send(body);
  return { refused: refused.body as object, status: accepted.status };
};

describe('a sign-in of more than 15 minutes ago', () => {
  it('may not make an owner, and may change other roles', async () => {
    const { operatorId } = await addMember(home, 'viewer');
    const path = `/api/companies/${home.id}/members/${operatorId}`;
    await as(world.app, stale).patch(path).send({ role: 'operator' }).expect(200);
    const { refused, status } = await twice('patch', path, { role: 'owner' });
    expect(refused).toMatchObject(refusal);
    expect(status).toBe(200);
  });

  it('may not invite an owner, and may invite others', async () => {
    const path = `/api/companies/${home.id}/invites`;
    const email = 'new@example.org';
    await as(world.app, stale).post(path).send({ email, role: 'operator' }).expect(201);
    const { refused, status } = await twice('post', path, { email, role: 'owner' });
    expect(refused).toMatchObject(refusal);
    expect(status).toBe(201);
  });

  it('may create a key that reaches some folders only, which is not the first with everything', async () => {
    const agent = await createAgent(home);
    const path = `/api/agents/${agent.id}/keys`;
    const limited = { name: 'limited', grants: [{ folder: 'a', scope: 'any' }] };
    await as(world.app, stale).post(path).send(limited).expect(201);
    const { refused, status } = await twice('post', path, { name: 'whole' });
    expect(refused).toMatchObject(refusal);
    expect(status).toBe(201);
  });

  it('may not create the first key with all scopes of a company, and may create all others', async () => {
    const agent = await createAgent(home);
    const path = `/api/agents/${agent.id}/keys`;
    const scoped = { name: 'scoped', scopes: ['notes:read'] };
    await as(world.app, stale).post(path).send(scoped).expect(201);
    const { refused, status } = await twice('post', path, { name: 'full' });
    expect(refused).toMatchObject(refusal);
    expect(status).toBe(201);
    world.auth.stale.add(stale.operatorId);
    await as(world.app, stale).post(path).send({ name: 'second' }).expect(201);
  });

  it('is needed for a key that names every scope, which is a key with all scopes', async () => {
    const agent = await createAgent(home);
    const path = `/api/agents/${agent.id}/keys`;
    const scopes = ['runs:write', 'notes:read', 'agents:read', 'notes:write'];
    const { refused, status } = await twice('post', path, {
      name: 'every',
      scopes,
    });
    expect(refused).toMatchObject(refusal);
    expect(status).toBe(201);
    await as(world.app, stale).post(`/api/agents/${agent.id}/runs`).send({ scopes }).expect(201);
    const rows = await world.sql(
      `select scopes from agents.keys where agent_id = $1
       union all select scopes from agents.runs where agent_id = $1`,
      [agent.id],
    );
    expect(rows).toEqual([{ scopes: null }, { scopes: null }]);
  });

  it('is needed again when the last key with all scopes was revoked', async () => {
    const agent = await createAgent(home);
    const { id } = await createKey(home, agent);
    await as(world.app, stale).delete(`/api/agents/${agent.id}/keys/${id}`).expect(204);
    const response = await as(world.app, stale)
      .post(`/api/agents/${agent.id}/keys`)
      .send({ name: 'full' });
    expect(response.body).toMatchObject(refusal);
  });

  it('changes nothing for the local operator', async () => {
    const agent = await createAgent(home);
    await as(world.app, localOperatorCaller({ companies: home.owner.companies }))
      .post(`/api/agents/${agent.id}/keys`)
      .send({ name: 'local' })
      .expect(201);
  });

  it('is 401 when the session has ended', async () => {
    const agent = await createAgent(home);
    world.auth.disabled.add(stale.operatorId);
    const response = await as(world.app, stale)
      .post(`/api/agents/${agent.id}/keys`)
      .send({ name: 'late' });
    expect(response.body).toMatchObject({ status: 401, code: 'session_expired' });
  });
});
