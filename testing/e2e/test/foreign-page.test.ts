import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicRoutes } from '@commonplace/contracts';
import { pathOf } from '../src/access-matrix.ts';
import type { Api } from '../src/call-api.ts';
import { sendRaw } from '../src/raw-socket.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

let system: TestSystem;
let company: CompanyWorld;
let board: Api;
let before: unknown;

/** Everything a page could have changed. */
const everything = async (): Promise<unknown> => {
  const paths = [
    '/api/companies',
    `/api/companies/${company.companyId}`,
    `/api/companies/${company.companyId}/agents`,
    `/api/companies/${company.companyId}/activity`,
    `/api/companies/${company.companyId}/members`,
    `/api/agents/${company.agentId}/keys`,
    `/api/agents/${company.agentId}/runs`,
    `/api/notes/${company.noteId}/revisions`,
    '/api/notes?view=full&deleted=include',
  ];
  const responses = await Promise.all(
    paths.map((path) => board('GET', path, { headers: { 'x-company-id': company.companyId } })),
  );
  // A key's last use is written down a little later, and has nothing to do with pages.
  return responses.map(({ status, body }) => [
    status,
    JSON.stringify(body).replaceAll(/"lastUsedAt":("[^"]*"|null)/g, ''),
  ]);
};

beforeAll(async () => {
  system = await startTestSystem('local_trusted', { env: { RATE_LIMIT_PER_SECOND: '0' } });
  board = system.as({});
  company = await makeCompany(board, 'Ours', { baseUrl: system.baseUrl, withInvite: false });
  before = await everything();
}, 120_000);
afterAll(async () => {
  await system.stop();
});

/** What browsers send along from a page of another origin, old browsers with less. */
const pages: readonly (readonly [string, readonly string[]])[] = [
  ['another site', ['Origin: https://evil.example', 'Sec-Fetch-Site: cross-site']],
  ['another site in an old browser', ['Origin: https://evil.example']],
  ['a sandboxed frame or a file', ['Origin: null', 'Sec-Fetch-Site: cross-site']],
  ['a form without an origin', ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate']],
  ['another port of this machine', ['Origin: http://localhost:3000', 'Sec-Fetch-Site: same-site']],
  ['a name like ours', ['Origin: http://localhost.evil.example', 'Sec-Fetch-Site: cross-site']],
  ['an empty origin', ['Origin: ']],
];

/** Bodies a page can send without a preflight, and the one that needs one. */
const bodies: readonly (readonly [string, string])[] = [
  ['text/plain', '{"name":"Theirs"}'],
  ['application/x-www-form-urlencoded', 'name=Theirs'],
  ['multipart/form-data; boundary=x', '--x\r\n\r\n{"name":"Theirs"}\r\n--x--'],
  ['application/json', '{"name":"Theirs"}'],
];

const unsafeRoutes = publicRoutes.filter(({ method }) => method !== 'get');

type Request = {
  readonly start: string;
  readonly headers: readonly string[];
  readonly host?: string;
  readonly body?: string;
};

const send = async ({ start, headers, host = new URL(system.baseUrl).host, body }: Request) => {
  const length = body === undefined ? [] : [`Content-Length: ${body.length}`];
  const lines = [`${start} HTTP/1.1`, `Host: ${host}`, ...headers, ...length, 'Connection: close'];
  const { responses } = await sendRaw(system.baseUrl, `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
  return responses[0];
};

describe.each(pages)('a page of %s', (_what, headers) => {
  it('changes nothing by any route, with any body it can send', async () => {
    for (const contract of unsafeRoutes) {
      const start = `${contract.method.toUpperCase()} ${pathOf(contract, company)}`;
      for (const [type, body] of bodies) {
        const sent = [...headers, `Content-Type: ${type}`, 'Cookie: commonplace.sid=s%3Ax.y'];
        const response = await send({ start, headers: sent, body });
        // Neither cookies nor the trust in this machine are credentials for a connection.
        const [status, code] =
          contract.connections === 'only'
            ? [401, 'credential_required']
            : [403, 'cross_site_request'];
        expect([start, type, response?.status, response?.body]).toEqual([
          start,
          type,
          status,
          expect.stringContaining(`"code":"${code}"`),
        ]);
      }
    }
    expect(await everything()).toEqual(before);
  }, 60_000);

  it('cannot read a response, and its preflight is denied', async () => {
    for (const path of ['/api/companies', `/api/notes/${company.noteId}`, '/api/auth/session']) {
      const read = await send({ start: `GET ${path}`, headers });
      expect(read?.headers).not.toHaveProperty('access-control-allow-origin');
      expect(read?.headers['x-content-type-options']).toBe('nosniff');
      const wanted = ['Access-Control-Request-Method: PUT', 'Access-Control-Request-Headers: x'];
      const preflight = await send({ start: `OPTIONS ${path}`, headers: [...headers, ...wanted] });
      expect(preflight?.status).toBe(405);
      expect(preflight?.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });
});

describe('a foreign name that resolves to this host', () => {
  const port = () => new URL(system.baseUrl).port;
  const names = () => [
    'evil.example',
    `evil.example:${port()}`,
    `127.0.0.1.evil.example:${port()}`,
    `localhost.evil.example:${port()}`,
    `localhost.:${port()}`,
    `0.0.0.0:${port()}`,
    `127.0.0.2:${port()}`,
    `[::]:${port()}`,
    `127.1:${port()}`,
    `2130706433:${port()}`,
    `evil@127.0.0.1:${port()}`,
    `127.0.0.1:${port()}, evil.example`,
    'localhost',
    '',
  ];

  it('gets 421 on every kind of route, reads included', async () => {
    for (const host of names()) {
      const sameOrigin = [`Origin: http://${host}`, 'Sec-Fetch-Site: same-origin'];
      for (const start of [
        'GET /',
        'GET /healthz',
        'GET /api/companies',
        `GET /api/notes/${company.noteId}`,
        'POST /api/companies',
        'GET /nowhere',
      ]) {
        const headers = [...sameOrigin, 'Content-Type: application/json'];
        const response = await send({ start, headers, host, body: '{"name":"Theirs"}' });
        expect([host, start, response?.status]).toEqual([host, start, 421]);
      }
    }
    expect(await everything()).toEqual(before);
  });
});

describe('a tunnel or proxy in front', () => {
  it.each(['Forwarded', 'X-Forwarded-For', 'X-Forwarded-Host', 'X_Forwarded_For', 'X-Forwarded'])(
    'that identifies itself with %s is refused',
    async (name) => {
      const response = await send({
        start: 'GET /api/companies',
        headers: [`${name}: 203.0.113.9`],
      });
      expect([response?.status, response?.body]).toEqual([
        403,
        expect.stringContaining('"code":"forwarded_request"'),
      ]);
    },
  );
});
