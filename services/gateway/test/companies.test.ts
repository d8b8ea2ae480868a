import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@commonplace/contracts';
import { ask, callerOf, echoOf, problemOf } from './send-request.ts';
import { giveKey, giveSession, join, newCompany, startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const get = (cookie: string, path = '/api/things', company?: string) =>
  ask(world.port, path, { headers: { cookie, ...(company ? { 'x-company-id': company } : {}) } });

describe('an operator', () => {
  it('who names no company brings all of them', async () => {
    const companies = [newCompany(), newCompany()];
    const { cookie } = giveSession(world.knowledge, companies);
    const answered = await get(cookie);
    expect(callerOf(answered)).toMatchObject({
      selectedCompanyId: null,
      companies: companies.map((companyId) => ({ companyId })),
    });
    expect(echoOf(answered).headers).not.toHaveProperty('x-company-id');
  });

  it('who names one, in either case, brings that one only', async () => {
    const [one, other] = [newCompany(), newCompany()];
    const { cookie } = giveSession(world.knowledge, [one, other]);
    const answered = await get(cookie, '/api/things', one.toUpperCase());
    expect(callerOf(answered)).toMatchObject({
      selectedCompanyId: one,
      companies: [{ companyId: one }],
    });
    expect(echoOf(answered).headers['x-company-id']).toBe(one);
  });

  it('who names a company it does not belong to gets 403', async () => {
    const { cookie } = giveSession(world.knowledge, [newCompany()]);
    expect(problemOf(await get(cookie, '/api/things', newCompany()))).toEqual([
      403,
      'cross_company',
    ]);
  });

  it('is told of a malformed path before the company, and of a route for agents only', async () => {
    const { cookie } = giveSession(world.knowledge, [newCompany()]);
    const malformed = await get(cookie, '/api/things/not-a-uuid', newCompany());
    expect(problemOf(malformed)).toEqual([400, 'validation_failed']);
    const agentsOnly = await get(cookie, '/api/agents/me', newCompany());
    expect(problemOf(agentsOnly)).toEqual([403, 'agent_only']);
  });

  it('is never refused on the word of a remembered list', async () => {
    const session = giveSession(world.knowledge, []);
    await get(session.cookie);
    const company = newCompany();
    join(world.knowledge, session.operatorId, [company]);
    expect((await get(session.cookie, '/api/things', company)).status).toBe(200);
    const byPath = await get(session.cookie, `/api/companies/${company}/things`);
    expect(callerOf(byPath)).toMatchObject({ companies: [{ companyId: company }] });
  });

  it('can use a company at once that it just made', async () => {
    const session = giveSession(world.knowledge, [newCompany()]);
    await get(session.cookie);
    const made = newCompany();
    join(world.knowledge, session.operatorId, [made]);
    await ask(world.port, '/api/companies', {
      method: 'POST',
      headers: { cookie: session.cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(callerOf(await get(session.cookie))).toMatchObject({ companies: [{ companyId: made }] });
  });
});

describe('an operator of more than 100 companies', () => {
  const companies = Array.from({ length: 101 }, newCompany);

  it('has to name one: without, its identity lists none', async () => {
    const { cookie } = giveSession(world.knowledge, companies);
    expect(callerOf(await get(cookie))).toMatchObject({ companies: null });
  });

  it('names one by header or by path, also one beyond the hundredth', async () => {
    const { cookie } = giveSession(world.knowledge, companies);
    for (const company of [companies[0], companies[100]]) {
      const byHeader = await get(cookie, '/api/things', company);
      expect(callerOf(byHeader)).toMatchObject({ selectedCompanyId: company });
      const byPath = await get(cookie, `/api/companies/${company}/things`);
      expect(callerOf(byPath)).toMatchObject({ companies: [{ companyId: company }] });
    }
  });

  it('enters no other: 403 by header, and nothing to enter with by path', async () => {
    const { cookie } = giveSession(world.knowledge, companies);
    expect((await get(cookie, '/api/things', newId())).status).toBe(403);
    expect(callerOf(await get(cookie, `/api/companies/${newId()}/things`))).toMatchObject({
      companies: [],
    });
  });
});

describe('an agent', () => {
  it('may name its own company, in either case', async () => {
    const key = giveKey(world.knowledge);
    const answered = await ask(world.port, '/api/things', {
      headers: { authorization: key.bearer, 'x-company-id': key.companyId.toUpperCase() },
    });
    expect(answered.status).toBe(200);
  });
});
