import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer, makeCompany, type CompanyWorld } from '@commonplace/e2e';
import { startTestSystem, type TestSystem } from '@commonplace/e2e/test-system';
import { prismProxy, type PrismCall, type Verdict } from '../src/prism.ts';
import { installTools } from '../src/workspace.ts';

let system: TestSystem;
let world: CompanyWorld;
let proxy: (call: PrismCall) => Promise<Verdict>;

beforeAll(async () => {
  [system] = await Promise.all([startTestSystem('local_trusted'), installTools()]);
  const { baseUrl } = system;
  world = await makeCompany(system.as({}), 'Prism', { baseUrl, withInvite: false });
  proxy = await prismProxy(baseUrl);
}, 300_000);
afterAll(async () => {
  await system.stop();
});

type Options = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

const send = (method: PrismCall['method'], path: string, { body, headers }: Options = {}) =>
  proxy({ method, path, headers: { ...bearer(world.key), ...headers }, body });

const missing = '0198a000-0000-7000-8000-00000000ffff';

describe("Prism's proxy before the running system", () => {
  it('finds nothing in a day of an agent: notes, lists, synchronisation, runs, refusals', async () => {
    const { agentId, companyId, noteId, jobId, runId } = world;
    const note = `/api/notes/${randomUUID()}`;
    const scenario: [number, PrismCall['method'], string, Options?][] = [
      [200, 'get', '/api/agents/me'],
      [200, 'get', `/api/agents/${agentId}`],
      [200, 'get', `/api/companies/${companyId}`, { headers: { 'x-company-id': companyId } }],
      [200, 'get', `/api/companies/${companyId}/org-chart`],
      [200, 'get', '/api/companies'],
      [201, 'put', note, { body: { title: 'Prism', tags: ['a', 'b'], pinned: true } }],
      [200, 'put', note, { body: { title: 'Prism 2' }, headers: { 'if-match': '"1"' } }],
      [412, 'put', note, { body: { title: 'Prism 3' }, headers: { 'if-match': '"1"' } }],
      [200, 'get', note],
      [304, 'get', note, { headers: { 'if-none-match': '"2"' } }],
      [
        200,
        'get',
        '/api/notes?view=full&tag=a&tag=b&pinned=true&archived=false&sort=title&order=asc',
      ],
      [200, 'get', `${note}/revisions`],
      [200, 'get', `${note}/revisions/1`],
      [204, 'delete', note],
      [404, 'get', note],
      [200, 'post', `${note}/restore`, { body: {} }],
      [200, 'post', '/api/sync', { body: {} }],
      [
        200,
        'post',
        '/api/sync',
        {
          body: {
            clientId: 'prism',
            changes: [{ mutationId: '1', id: randomUUID(), op: 'put', note: { title: 'Pushed' } }],
          },
        },
      ],
      [202, 'post', '/api/sync', { body: { clientId: 'prism', mode: 'background' } }],
      [410, 'post', '/api/sync', { body: { cursor: 'nonsense' } }],
      [200, 'get', `/api/sync/${jobId}`],
      [200, 'get', '/api/notes/changes?since=0&wait=0'],
      [200, 'get', `/api/runs/${runId}`],
      [200, 'get', `/api/agents/${agentId}/runs`],
      [404, 'get', `/api/notes/${missing}`],
      [403, 'get', `/api/companies/${missing}`],
      [403, 'get', `/api/notes/${noteId}`, { headers: { 'x-company-id': missing } }],
      [401, 'get', '/api/notes', { headers: bearer('nonsense') }],
      [200, 'get', '/healthz'],
      [200, 'get', '/readyz'],
      [200, 'get', '/api/docs'],
    ];
    for (const [status, method, path, options] of scenario) {
      const verdict = await send(method, path, options);
      expect([method, path, verdict]).toEqual([
        method,
        path,
        { status, request: [], response: [] },
      ]);
    }
  }, 120_000);

  it('knows as the server does that agents make no agents', async () => {
    const path = `/api/companies/${world.companyId}/agents`;
    const verdict = await send('post', path, { body: { name: 'x', role: 'y' } });
    expect(verdict).toEqual({
      status: 403,
      request: [expect.stringContaining('Invalid security scheme used')],
      response: [],
    });
  });

  it('refuses at the bounds exactly what the server refuses', async () => {
    const company = `/api/companies/${world.companyId}/agents`;
    const note = `/api/notes/${world.noteId}`;
    const bounds = [
      ...['1', '50', '200', '0', '201', '-1', '1.5', 'x', '99999999999'].flatMap((value) =>
        ['/api/notes', company, `${note}/revisions`].map((path) => `${path}?limit=${value}`),
      ),
      ...['0', '1', '25', '26', '-1', 'x'].map((value) => `/api/notes/changes?wait=${value}`),
      ...['0', '999999999999999', '1000000000000000', '-1'].map(
        (value) => `/api/notes/changes?since=${value}`,
      ),
      ...['true', 'false', 'yes', '1', 'TRUE'].flatMap((value) => [
        `/api/notes?pinned=${value}`,
        `/api/notes?archived=${value}`,
      ]),
      ...['0', '1', '2147483647', '2147483648'].map((value) => `${note}/revisions/${value}`),
      ...['only', 'all'].map((value) => `/api/notes?deleted=${value}`),
      `/api/notes?q=${'x'.repeat(500)}`,
      `/api/notes?q=${'x'.repeat(501)}`,
    ];
    for (const path of bounds) {
      const { status, request, response } = await send('get', path);
      expect([path, status, request.length > 0, response]).toEqual([
        path,
        status,
        status === 400,
        [],
      ]);
    }
  }, 120_000);

  it.each(['upper case', 'any version'])(
    'takes an X-Company-Id of %s as the server does',
    async (kind) => {
      const value =
        kind === 'upper case'
          ? world.companyId.toUpperCase()
          : '0198a000-0000-0000-0000-0000000000aa';
      const { status, request, response } = await send('get', '/api/notes', {
        headers: { 'x-company-id': value },
      });
      expect([status, request, response]).toEqual([kind === 'upper case' ? 200 : 403, [], []]);
    },
  );
});
