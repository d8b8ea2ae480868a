import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId, type CompanyId, type NoteGrant } from '@commonplace/contracts';
import { sendRequest, callerOf, echoOf, problemOf } from './send-request.ts';
import {
  addKey,
  addSession,
  setMemberships,
  newCompany,
  startGateway,
  type TestGateway,
} from './start-gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const get = (cookie: string, path = '/api/things', company?: string) =>
  sendRequest(gateway.port, path, {
    headers: { cookie, ...(company ? { 'x-company-id': company } : {}) },
  });

describe('an operator', () => {
  it('without X-Company-Id has all its companies', async () => {
    const companies = [newCompany(), newCompany()];
    const { cookie } = addSession(gateway.data, companies);
    const response = await get(cookie);
    expect(callerOf(response)).toMatchObject({
      selectedCompanyId: null,
      companies: companies.map((companyId) => ({ companyId })),
    });
    expect(echoOf(response).headers).not.toHaveProperty('x-company-id');
  });

  it('with X-Company-Id, in either case, has that company only', async () => {
    const [one, other] = [newCompany(), newCompany()];
    const { cookie } = addSession(gateway.data, [one, other]);
    const response = await get(cookie, '/api/things', one.toUpperCase());
    expect(callerOf(response)).toMatchObject({
      selectedCompanyId: one,
      companies: [{ companyId: one }],
    });
    expect(echoOf(response).headers['x-company-id']).toBe(one);
  });

  it('gets 403 for a company it is no member of', async () => {
    const { cookie } = addSession(gateway.data, [newCompany()]);
    expect(problemOf(await get(cookie, '/api/things', newCompany()))).toEqual([
      403,
      'cross_company',
    ]);
  });

  it('gets the errors for a malformed path and for an agents-only route before that of the company', async () => {
    const { cookie } = addSession(gateway.data, [newCompany()]);
    const malformed = await get(cookie, '/api/things/not-a-uuid', newCompany());
    expect(problemOf(malformed)).toEqual([400, 'validation_failed']);
    const agentsOnly = await get(cookie, '/api/agents/me', newCompany());
    expect(problemOf(agentsOnly)).toEqual([403, 'agent_only']);
  });

  it('is never rejected because of cached memberships', async () => {
    const session = addSession(gateway.data, []);
    await get(session.cookie);
    const company = newCompany();
    setMemberships(gateway.data, session.operatorId, [company]);
    expect((await get(session.cookie, '/api/things', company)).status).toBe(200);
    const byPath = await get(session.cookie, `/api/companies/${company}/things`);
    expect(callerOf(byPath)).toMatchObject({ companies: [{ companyId: company }] });
  });

  it('can use a new company at once', async () => {
    const session = addSession(gateway.data, [newCompany()]);
    await get(session.cookie);
    const created = newCompany();
    setMemberships(gateway.data, session.operatorId, [created]);
    await sendRequest(gateway.port, '/api/companies', {
      method: 'POST',
      headers: { cookie: session.cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(callerOf(await get(session.cookie))).toMatchObject({
      companies: [{ companyId: created }],
    });
  });
});

describe('a viewer with grants', () => {
  const grants = [{ folder: 'sales', scope: 'read', mode: 'direct' } as const];
  const member = (companyId: CompanyId, granted: NoteGrant[] = grants) =>
    ({
      companyId,
      companyName: 'Acme',
      role: 'viewer',
      companyStatus: 'active',
      grants: granted,
    }) as const;

  it('has them in its identity, beside companies without', async () => {
    const [one, other] = [newCompany(), newCompany()];
    const { cookie, operatorId } = addSession(gateway.data, [one]);
    gateway.data.memberships.get(operatorId)?.push(member(other));
    expect(callerOf(await get(cookie))).toMatchObject({
      companies: [{ companyId: one }, { companyId: other, grants }],
    });
    expect(callerOf(await get(cookie, '/api/things', other))).toMatchObject({
      companies: [{ companyId: other, grants }],
    });
    expect(callerOf(await get(cookie, '/api/things', one))).toMatchObject({
      companies: [{ companyId: one, role: 'owner' }],
    });
  });

  it('of more than fit into an identity must name a company', async () => {
    const long = Array.from({ length: 6 }, (_, index) => ({
      ...grants[0],
      folder: `${index}${'x'.repeat(300)}`,
    })) as NoteGrant[];
    const companies = Array.from({ length: 8 }, newCompany);
    const { cookie, operatorId } = addSession(gateway.data, []);
    gateway.data.memberships.set(
      operatorId,
      companies.map((companyId) => member(companyId, long)),
    );
    expect(callerOf(await get(cookie))).toMatchObject({ companies: null });
    expect(callerOf(await get(cookie, '/api/things', companies[7]))).toMatchObject({
      companies: [{ companyId: companies[7], grants: long }],
    });
  });
});

describe('an operator of more than 100 companies', () => {
  const companies = Array.from({ length: 101 }, newCompany);

  it('must name one, or its identity has no companies', async () => {
    const { cookie } = addSession(gateway.data, companies);
    expect(callerOf(await get(cookie))).toMatchObject({ companies: null });
  });

  it('can name any of them by header or path', async () => {
    const { cookie } = addSession(gateway.data, companies);
    for (const company of [companies[0], companies[100]]) {
      const byHeader = await get(cookie, '/api/things', company);
      expect(callerOf(byHeader)).toMatchObject({ selectedCompanyId: company });
      const byPath = await get(cookie, `/api/companies/${company}/things`);
      expect(callerOf(byPath)).toMatchObject({ companies: [{ companyId: company }] });
    }
  });

  it('has no other: 403 by header, and an identity without companies by path', async () => {
    const { cookie } = addSession(gateway.data, companies);
    expect((await get(cookie, '/api/things', newId())).status).toBe(403);
    expect(callerOf(await get(cookie, `/api/companies/${newId()}/things`))).toMatchObject({
      companies: [],
    });
  });
});

describe('an agent', () => {
  it('can name its own company, in either case', async () => {
    const key = addKey(gateway.data);
    const response = await sendRequest(gateway.port, '/api/things', {
      headers: { authorization: key.bearer, 'x-company-id': key.companyId.toUpperCase() },
    });
    expect(response.status).toBe(200);
  });
});
