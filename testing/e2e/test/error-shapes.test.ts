import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bearer } from '../src/call-api.ts';
import {
  authorizationPath,
  redirectUri,
  registerByScript,
  sendTo,
} from '../src/connect-by-script.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, type CompanyWorld } from '../src/world.ts';

let system: TestSystem;
let world: CompanyWorld;

beforeAll(async () => {
  system = await startTestSystem('authenticated', { env: { RATE_LIMIT_PER_SECOND: '0' } });
  const board = system.as(await system.boardHeaders());
  world = await makeCompany(board, 'Shapes', { baseUrl: system.baseUrl, withInvite: false });
}, 120_000);
afterAll(() => system.stop());

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

type Sent = { readonly type: string; readonly body: string | Uint8Array<ArrayBuffer> };

const post = async (path: string, { type, body }: Sent, headers: Record<string, string> = {}) => {
  const response = await fetch(new URL(path, system.baseUrl), {
    method: 'POST',
    headers: { 'content-type': type, ...headers },
    body,
  });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    cached: response.headers.get('cache-control'),
    body: JSON.parse(text) as Record<string, unknown>,
  };
};

const jsonType = expect.stringMatching(/^application\/json\b/);

describe('errors of MCP are JSON-RPC', () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

  it.each<[string, string | Uint8Array<ArrayBuffer>, number, number]>([
    ['an empty batch', '[]', 400, -32_600],
    ['a batch of no messages', '[5]', 400, -32_600],
    ['a message and something else', `[${ping},5]`, 400, -32_600],
    ['null', 'null', 400, -32_600],
    ['a number', '5', 400, -32_600],
    ['a text', '"x"', 400, -32_600],
    ['an object that is no message', '{}', 400, -32_600],
    ['a batch of 33', `[${Array.from({ length: 33 }, () => ping).join()}]`, 400, -32_600],
    ['malformed JSON', '{', 400, -32_700],
    ['bytes that are no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 400, -32_700],
    ['deep nesting', `${'['.repeat(300)}${']'.repeat(300)}`, 400, -32_700],
    ['a body that is too large', `"${'x'.repeat(2_100_000)}"`, 413, -32_000],
  ])('%s', async (_name, body, ...[status, code]) => {
    const response = await post('/mcp', { type: json, body }, bearer(world.key));
    expect(response).toMatchObject({
      status,
      type: jsonType,
      cached: 'no-store',
      body: { jsonrpc: '2.0', id: null, error: { code, message: expect.any(String) } },
    });
  });

  it('another content type is 415', async () => {
    const response = await post('/mcp', { type: 'text/plain', body: ping }, bearer(world.key));
    expect(response).toMatchObject({
      status: 415,
      type: jsonType,
      body: { id: null, error: { code: -32_000, data: { code: 'unsupported_media_type' } } },
    });
  });

  it('a client that names no type it accepts gets JSON', async () => {
    const response = await post('/mcp', { type: json, body: ping }, bearer(world.key));
    expect(response).toMatchObject({ status: 200, type: jsonType, body: { id: 1, result: {} } });
  });

  it('access is none of its errors: without a credential it is a problem', async () => {
    const response = await post('/mcp', { type: json, body: '[]' });
    expect([response.status, response.body['code']]).toEqual([401, 'credential_required']);
  });
});

const oauthError = (status: number, error: unknown) => ({
  status,
  type: jsonType,
  cached: expect.stringContaining('no-store') as unknown,
  // RFC 6749 section 5.2: printable ASCII without quotation marks and backslashes.
  body: { error, error_description: expect.stringMatching(/^[ !#-[\]-~]+$/) },
});

describe.each(['/connect/token', '/connect/revoke'])('errors of %s are those of OAuth', (path) => {
  it.each<[string, Sent, number, string]>([
    ['a repeated field', { type: form, body: 'client_id=a&client_id=b' }, 400, 'invalid_request'],
    [
      'a field with NUL',
      { type: form, body: 'grant_type=%00&client_id=%00&token=%00' },
      401,
      'invalid_client',
    ],
    ['a form that is no form', { type: form, body: '%' }, 400, 'invalid_request'],
    ['JSON', { type: json, body: '{"grant_type":"authorization_code"}' }, 415, 'invalid_request'],
    [
      'a body that is too large',
      { type: form, body: `token=${'x'.repeat(40_000)}` },
      413,
      'invalid_request',
    ],
  ])('%s', async (_name, sent, ...[status, error]) => {
    const response = await post(path, sent);
    expect(response).toMatchObject(oauthError(status, error));
    expect(Object.keys(response.body)).not.toContain('code');
  });
});

describe('errors of registration are those of RFC 7591', () => {
  it.each<[string, Sent, number, string]>([
    ['malformed JSON', { type: json, body: '{' }, 400, 'invalid_client_metadata'],
    ['null', { type: json, body: 'null' }, 400, 'invalid_client_metadata'],
    ['an array', { type: json, body: '[]' }, 400, 'invalid_client_metadata'],
    [
      'a name with NUL',
      { type: json, body: `{"redirect_uris":["${redirectUri}"],"client_name":"a\\u0000b"}` },
      400,
      'invalid_client_metadata',
    ],
    ['no redirect URI', { type: json, body: '{"redirect_uris":[]}' }, 400, 'invalid_redirect_uri'],
    ['a form', { type: form, body: 'a=b' }, 415, 'invalid_client_metadata'],
    [
      'a body that is too large',
      { type: json, body: JSON.stringify({ client_name: 'x'.repeat(20_000) }) },
      413,
      'invalid_client_metadata',
    ],
  ])('%s', async (_name, sent, ...[status, error]) => {
    expect(await post('/connect/register', sent)).toMatchObject(oauthError(status, error));
  });
});

it('an authorization that wants a token at once has its error in the query', async () => {
  const send = sendTo(system.baseUrl);
  const { path } = authorizationPath(await registerByScript(send), `${system.baseUrl}/connect/mcp`);
  const { headers } = await send(path.replace('response_type=code', 'response_type=token'));
  const location = new URL(headers.get('location') ?? '');
  expect([location.hash, location.searchParams.get('error')]).toEqual([
    '',
    'unsupported_response_type',
  ]);
});

describe('nothing that is given is dropped in silence', () => {
  it.each([
    ['/api/notes?match=best', '/match'],
    ['/api/notes?match=prefix&sort=title', '/match'],
    ['/api/notes?explain=true', '/explain'],
    ['/api/companies/{companyId}/usage?from=2026-01-01&to=2026-01-02&by=day&limit=5', '/limit'],
    ['/api/companies/{companyId}/usage?from=2026-01-01&to=2026-01-02&by=day&cursor=x', '/cursor'],
  ])('a parameter without effect: %s', async (path, named) => {
    const { status, body } = await system.as(bearer(world.key))(
      'GET',
      path.replace('{companyId}', world.companyId),
    );
    expect([status, body]).toMatchObject([400, { errors: [{ path: named }] }]);
  });

  it.each([
    ['a name given twice', '{"content":"a","content":"b"}', '/content'],
    ['one inside of properties', '{"properties":{"d":1,"d":2}}', '/properties/d'],
    [
      'digits that a double does not hold',
      '{"properties":{"o":9007199254740993}}',
      '/properties/o',
    ],
    ['a number that becomes zero', '{"properties":{"x":[1e-400]}}', '/properties/x/0'],
  ])('%s is 400, and names its place', async (_name, raw, named) => {
    const path = `/api/notes/${crypto.randomUUID()}`;
    const { status, body } = await system.as(bearer(world.key))('PUT', path, { raw });
    expect([status, body]).toMatchObject([400, { errors: [{ path: named }] }]);
  });
});

it('registrations beyond the limit of an address are 429 with the time to wait, as an error of OAuth', async () => {
  const body = JSON.stringify({ redirect_uris: [redirectUri] });
  const sent = Array.from({ length: 40 }, () =>
    fetch(new URL('/connect/register', system.baseUrl), {
      method: 'POST',
      headers: { 'content-type': json },
      body,
    }),
  );
  const refused = (await Promise.all(sent)).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused[0]?.json()).toEqual({
    error: 'temporarily_unavailable',
    error_description: expect.any(String),
  });
});
