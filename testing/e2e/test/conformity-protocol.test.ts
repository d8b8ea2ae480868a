import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorCodes, publicRoutes } from '@commonplace/contracts';
import { testIdentitySecrets } from '@commonplace/testkit';
import { pathOf } from '../src/access-matrix.ts';
import { bearer, type Api, type ApiResponse } from '../src/call-api.ts';
import { sendRaw } from '../src/raw-socket.ts';
import { makeConnection, operatorIdOf } from '../src/make-connection.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeCompany, type CompanyWorld } from '../src/world.ts';
import { whenAvailable } from '../src/when-available.ts';

/** Sections 1 to 3 of docs/contract.md, sentence by sentence, against the running system. */
let system: TestSystem;
let target: CompanyWorld;
let foreign: CompanyWorld;
let cookies: Readonly<Record<string, string>>;
let board: Api;
let member: Api;
let byKey: Api;
let byRun: Api;
let nobody: Api;

beforeAll(async () => {
  system = await startTestSystem('authenticated', {
    env: { RATE_LIMIT_PER_SECOND: '5000', INTERNAL_IDENTITY_SECRETS: testIdentitySecrets[0] },
  });
  const { baseUrl } = system;
  cookies = await system.boardHeaders();
  board = system.as(cookies);
  target = await makeCompany(board, 'Target', { baseUrl, withInvite: true });
  const operatorId = await operatorIdOf(system, cookies);
  const { connectionId } = await makeConnection(system, target, { operatorId });
  target = { ...target, connectionId };
  foreign = await makeCompany(board, 'Foreign', { baseUrl, withInvite: true });
  const email = 'only-target@example.org';
  member = system.as(await inviteMember(board, target, { baseUrl, email, role: 'operator' }));
  byKey = system.as(bearer(target.key));
  byRun = system.as(bearer(target.runToken));
  nobody = system.as({});
}, 120_000);
afterAll(async () => {
  await system.stop();
});

/** Status and code of a refusal, in the form every refusal has to have. */
const refusalOf = ({ status, headers, body }: ApiResponse) => {
  expect(headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-store');
  const problem = body as Record<string, unknown>;
  const code = problem['code'] as keyof typeof errorCodes;
  expect(problem).toMatchObject({ type: 'about:blank', status, detail: expect.any(String) });
  expect(problem['requestId']).toBe(headers.get('x-request-id'));
  expect(errorCodes[code].status).toBe(status);
  return `${status} ${code}`;
};

const agentPath = () => `/api/agents/${target.agentId}`;

describe('one credential at a time', () => {
  it('a bearer wins over a cookie: the caller is the agent', async () => {
    const both = system.as({ ...cookies, ...bearer(target.key) });
    expect((await both('GET', '/api/agents/me')).status).toBe(200);
    expect(refusalOf(await both('GET', '/api/auth/session'))).toBe('403 operator_only');
  });

  it('a bad bearer is 401 with its reason, even beside a valid cookie', async () => {
    for (const authorization of [
      'Bearer nonsense',
      'Bearer',
      'Bearer ',
      'Basic Zm9vOmJhcg==',
      `Bearer ${target.key}x`,
      `Bearer ${target.key} ${target.key}`,
      `Bearer ${target.key}, Bearer ${target.key}`,
      target.key,
      `Token ${target.key}`,
    ]) {
      const response = await system.as({ ...cookies, authorization })('GET', '/api/companies');
      expect([authorization, refusalOf(response)]).toEqual([authorization, '401 invalid_token']);
      expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      expect(response.headers.get('set-cookie')).toBeNull();
    }
  });

  it('no credential is 401 with a bare challenge; query and body are not read for one', async () => {
    for (const path of [
      '/api/companies',
      `/api/companies?access_token=${target.key}`,
      `/api/companies?api_key=${target.key}`,
    ]) {
      const response = await nobody('GET', path);
      expect(refusalOf(response)).toBe('401 credential_required');
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
    const inBody = await nobody('POST', '/api/sync', { body: { access_token: target.key } });
    expect(refusalOf(inBody)).toBe('401 credential_required');
  });

  it('an expired session is 401; its cookie stays, and does no harm to a sign-in and to public routes', async () => {
    const dead = system.as({ cookie: 'commonplace.sid=s%3Anobody.aaaa', origin: system.baseUrl });
    const response = await dead('POST', '/api/companies', { body: { name: 'x' } });
    expect(refusalOf(response)).toBe('401 session_expired');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect((await dead('GET', '/api/auth/sign-in-options')).status).toBe(200);
    const wrong = { email: 'nobody@example.org', password: 'not the right one' };
    const refused = await dead('POST', '/api/auth/login', { body: wrong });
    expect(refusalOf(refused)).toBe('401 invalid_credentials');
  });

  it('the scheme is case-insensitive', async () => {
    const response = await system.as({ authorization: `bEARER  ${target.key}` })(
      'GET',
      '/api/agents/me',
    );
    expect(response.status).toBe(200);
  });
});

describe('X-Company-Id', () => {
  const naming = (companyId: string) => ({ headers: { 'x-company-id': companyId } });
  const upper = () => target.companyId.toUpperCase();

  it('is 400 when malformed, for every kind of caller', async () => {
    for (const value of ['nonsense', ' ', `${target.companyId},${target.companyId}`, '*', '0']) {
      for (const api of [board, member, byKey, byRun]) {
        const response = await api('GET', agentPath(), naming(value));
        expect([value, refusalOf(response)]).toEqual([value, '400 malformed_header']);
      }
    }
  });

  it('is not evaluated before authentication', async () => {
    expect(refusalOf(await nobody('GET', agentPath(), naming('nonsense')))).toBe(
      '401 credential_required',
    );
  });

  it('of another company is 403 for agents and for operators who are not members', async () => {
    for (const api of [member, byKey, byRun]) {
      for (const path of [agentPath(), '/api/notes', `/api/companies/${target.companyId}`]) {
        const response = await api('GET', path, naming(foreign.companyId));
        expect(refusalOf(response)).toBe('403 cross_company');
      }
    }
  });

  it('of one of several companies selects it: others are 403, also by path', async () => {
    for (const path of [
      agentPath(),
      `/api/companies/${target.companyId}`,
      `/api/notes/${target.noteId}`,
      `/api/runs/${target.runId}`,
    ]) {
      const response = await board('GET', path, naming(foreign.companyId));
      expect([path, refusalOf(response)]).toEqual([path, '403 cross_company']);
    }
  });

  it('is accepted in upper case, as are ids, and ids are returned in lower case', async () => {
    const response = await board(
      'GET',
      `/api/agents/${target.agentId.toUpperCase()}`,
      naming(upper()),
    );
    expect(response.body).toMatchObject({ id: target.agentId, companyId: target.companyId });
  });

  it('is required where a route needs one company and the caller has several', async () => {
    for (const [method, path, body] of [
      ['GET', '/api/notes', undefined],
      ['POST', '/api/sync', {}],
      ['PUT', '/api/notes/0198a000-0000-7000-8000-0000000000aa', { title: 'x' }],
    ] as const) {
      const response = await board(method, path, body ? { body } : {});
      expect([path, refusalOf(response)]).toEqual([path, '400 company_required']);
    }
    expect((await member('GET', '/api/notes')).status).toBe(200);
  });

  it('in other spellings is ignored', async () => {
    for (const name of ['X_Company_Id', 'x-company_id', 'X-Company-ID ', 'X-Company-Ids']) {
      const lines = [
        'GET /api/agents/me HTTP/1.1',
        `Host: ${new URL(system.baseUrl).host}`,
        `Authorization: Bearer ${target.key}`,
        `${name}: ${foreign.companyId}`,
        'Connection: close',
      ];
      const { responses } = await sendRaw(system.baseUrl, `${lines.join('\r\n')}\r\n\r\n`);
      const [response] = responses;
      // A space before the colon is no header at all; everything else is somebody else's.
      expect([name, response?.status]).toEqual([name, name.endsWith(' ') ? 400 : 200]);
    }
  });
});

describe('403 against 404', () => {
  const nowhere = '0198a000-0000-7000-8000-00000000ffff';

  it('unknown and foreign companies in a path are both 403', async () => {
    for (const api of [member, byKey, byRun]) {
      for (const companyId of [foreign.companyId, nowhere]) {
        for (const rest of ['', '/agents', '/org-chart']) {
          const response = await api('GET', `/api/companies/${companyId}${rest}`);
          expect(refusalOf(response)).toBe('403 cross_company');
        }
      }
    }
  });

  it('an entity of another company is 403, an unknown one 404', async () => {
    for (const api of [member, byKey, byRun]) {
      for (const [path, foreignId] of [
        ['/api/agents/', foreign.agentId],
        ['/api/runs/', foreign.runId],
        ['/api/notes/', foreign.noteId],
        ['/api/sync/', foreign.jobId],
      ] as const) {
        expect(refusalOf(await api('GET', path + foreignId))).toBe('403 cross_company');
        expect(refusalOf(await api('GET', path + nowhere))).toBe('404 not_found');
      }
    }
  });

  it('is checked before role, type, size, query and body', async () => {
    const viewer = system.as(
      await inviteMember(board, target, {
        baseUrl: system.baseUrl,
        email: 'protocol-viewer@example.org',
        role: 'viewer',
      }),
    );
    const broken = { raw: '{', headers: { 'content-type': 'text/plain' } };
    for (const path of [
      `/api/agents/${foreign.agentId}/keys?nonsense=1`,
      `/api/agents/${foreign.agentId}/runs`,
      `/api/agents/${target.agentId}/keys/${foreign.keyId}/rotate`,
    ]) {
      expect(refusalOf(await viewer('POST', path, broken))).toBe('403 cross_company');
    }
    expect(refusalOf(await viewer('POST', `${agentPath()}/keys?x=1`, broken))).toBe(
      '403 role_insufficient',
    );
    expect(refusalOf(await member('POST', `${agentPath()}/keys?x=1`, broken))).toBe(
      '415 unsupported_media_type',
    );
    expect(refusalOf(await member('POST', `${agentPath()}/keys?x=1`, { raw: '{' }))).toBe(
      '400 malformed_json',
    );
  });
});

describe('methods', () => {
  it('that a path does not have are 405 with Allow, before authentication', async () => {
    for (const contract of publicRoutes) {
      const path = pathOf(contract, target);
      const response = await nobody('OPTIONS', path);
      expect(refusalOf(response)).toBe('405 method_not_allowed');
      const allowed = response.headers.get('allow')?.split(', ') ?? [];
      expect(allowed).toContain(contract.method.toUpperCase());
      expect(allowed.includes('HEAD')).toBe(allowed.includes('GET'));
    }
  });

  it('HEAD has the headers of GET and no body, on every route that reads', async () => {
    const same = ['content-type', 'etag', 'vary', 'cache-control', 'content-length'];
    for (const contract of publicRoutes.filter(({ method }) => method === 'get')) {
      const path = pathOf(contract, target);
      const naming = { headers: { 'x-company-id': target.companyId } };
      const [get, head] = [await board('GET', path, naming), await board('HEAD', path, naming)];
      expect([path, head.status, head.body]).toEqual([path, get.status, '']);
      const pick = ({ headers }: ApiResponse) => same.map((name) => [name, headers.get(name)]);
      expect([path, pick(head)]).toEqual([path, pick(get)]);
    }
  });
});

describe('the headers of every response', () => {
  it('keep private data out of shared caches', async () => {
    for (const contract of publicRoutes.filter(({ method }) => method === 'get')) {
      const path = pathOf(contract, target);
      const response = await board('GET', path, { headers: { 'x-company-id': target.companyId } });
      const cacheControl = response.headers.get('cache-control') ?? '';
      expect([path, cacheControl]).toEqual([
        path,
        expect.stringMatching(/no-store|private, no-cache/),
      ]);
      expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-powered-by')).toBeNull();
    }
  });

  it('report the remaining rate to agents and operators, and only their own', async () => {
    for (const api of [byKey, byRun, board]) {
      const { headers } = await api('GET', '/api/companies');
      expect(headers.get('ratelimit-policy')).toBe('"credential";q=5000;w=1');
      expect(headers.get('ratelimit')).toMatch(/^"credential";r=\d+;t=0$/);
    }
    expect((await nobody('GET', '/api/companies')).headers.get('ratelimit')).toBeNull();
  });

  it('a note has a Vary header and returns 304 for a known ETag', async () => {
    const path = `/api/notes/${target.noteId}`;
    const { headers } = await byKey('GET', path);
    expect(headers.get('etag')).toBe('"1"');
    expect(headers.get('cache-control')).toBe('private, no-cache');
    const varied = headers.get('vary')?.split(', ').toSorted();
    expect(varied).toEqual(['Authorization', 'Cookie', 'X-Company-Id']);
    for (const tag of ['"1"', 'W/"1"', '"9", "1"', '*']) {
      const known = await byKey('GET', path, { headers: { 'if-none-match': tag } });
      expect([tag, known.status, known.body, known.headers.get('etag')]).toEqual([
        tag,
        304,
        '',
        '"1"',
      ]);
    }
    expect((await byKey('GET', path, { headers: { 'if-none-match': '"2"' } })).status).toBe(200);
  });
});

describe('query parameters', () => {
  it('that are unknown or repeated are 400 on every route that reads', async () => {
    // An identity provider may add parameters to the address that it sends the browser to.
    const strict = publicRoutes.filter(
      ({ method, operationId }) => method === 'get' && operationId !== 'finishOidcSignIn',
    );
    for (const contract of strict) {
      const path = pathOf(contract, target);
      for (const query of ['nonsense=1', 'limit=1&limit=2']) {
        const naming = { headers: { 'x-company-id': target.companyId } };
        const response = await whenAvailable(() => board('GET', `${path}?${query}`, naming));
        const expected = contract.operationId === 'getMe' ? 403 : 400;
        expect([path, query, response.status]).toEqual([path, query, expected]);
      }
    }
  });

  it('of a list are bounded', async () => {
    for (const query of ['limit=0', 'limit=201', 'limit=1.5', 'limit=', 'limit=-1', 'cursor=x']) {
      const response = await board('GET', `/api/companies/${target.companyId}/agents?${query}`);
      expect([query, refusalOf(response)]).toEqual([query, '400 validation_failed']);
    }
  });
});
