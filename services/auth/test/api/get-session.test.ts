import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { localOperatorId } from '@commonplace/contracts';
import { agentCaller, as, localOperatorCaller } from '@commonplace/testkit';
import { membershipOf } from '../support/agents-service.ts';
import { cookieFor, createWorld, withCookie, type World } from '../support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

describe('200', () => {
  it('returns the operator of the session and its companies', async () => {
    const { id } = await world.operator('olga@example.org');
    const { companyStatus, ...membership } = membershipOf('Acme');
    world.agents.memberships.set(id, [{ ...membership, companyStatus }]);
    const { call } = await withCookie(world.app, await cookieFor(world.app, 'olga@example.org'));
    const response = await call.get('/api/auth/session').expect(200);
    expect(response.body).toEqual({
      mode: 'authenticated',
      operator: { id, email: 'olga@example.org', name: 'Olga', isAdmin: true },
      memberships: [{ ...membership, grants: null }],
    });
    expect(response.headers['cache-control']).toBe('private, no-store');
  });

  it('returns the local board operator in local trusted mode', async () => {
    world.agents.memberships.set('local', [membershipOf('Everything')]);
    const app = world.appWith({ mode: 'local_trusted' });
    const response = await as(app, localOperatorCaller()).get('/api/auth/session').expect(200);
    expect(response.body).toMatchObject({
      mode: 'local_trusted',
      operator: { id: localOperatorId, isAdmin: true },
      memberships: [{ companyName: 'Everything' }],
    });
  });

  it('omits memberships beyond the first 200', async () => {
    const { id } = await world.operator('busy@example.org');
    const many = Array.from({ length: 201 }, (_none, index) => membershipOf(`Company ${index}`));
    world.agents.memberships.set(id, many);
    const { call } = await withCookie(world.app, await cookieFor(world.app, 'busy@example.org'));
    const { body } = await call.get('/api/auth/session').expect(200);
    expect((body as { memberships: unknown[] }).memberships).toHaveLength(200);
  });
});

describe('errors', () => {
  it('401 without an identity, 403 for agents, 400 for an unknown parameter', async () => {
    await as(world.app, null).get('/api/auth/session').expect(401);
    await as(world.app, agentCaller()).get('/api/auth/session').expect(403);
    await as(world.app, localOperatorCaller()).get('/api/auth/session?x=1').expect(400);
  });

  it('503 with Retry-After while the agents service is unavailable', async () => {
    world.agents.state.isUnavailable = true;
    const response = await as(world.app, localOperatorCaller()).get('/api/auth/session');
    world.agents.state.isUnavailable = false;
    expect([response.status, response.headers['retry-after']]).toEqual([503, '1']);
  });
});
