import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { as } from '@commonplace/testkit';
import { createWorld, type World } from '../support/auth-world.ts';
import { anyAddress, authorizeQuery, postRegistration, register } from '../support/oauth-client.ts';

let world: World;
let clientId: string;
beforeAll(async () => {
  world = await createWorld();
  clientId = await register(world.app);
});
afterAll(() => world.close());

const hostile = [
  '',
  ' ',
  'x'.repeat(5_000),
  '\u0000',
  '\ud800'.toWellFormed(),
  '__proto__',
  '[object Object]',
  '{"a":{"b":1}}',
  "'; drop table auth.oauth_records; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'eyJhbGciOiJub25lIn0.e30.',
  'https://[::1',
  'https://app.example/\r\nset-cookie: x=1',
  'cpc_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
];

const parameters = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'resource',
  'prompt',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
];
const fields = [
  'grant_type',
  'client_id',
  'client_secret',
  'client_assertion',
  'client_assertion_type',
  'code',
  'code_verifier',
  'redirect_uri',
  'refresh_token',
  'resource',
  'scope',
  'token',
  'token_type_hint',
];

const isClientError = (status: number): boolean => status < 500;

describe('no parameter, field or body causes a server error', () => {
  it.each(parameters)('in %s of an authorization, also repeated', async (name) => {
    for (const value of hostile) {
      const { query } = authorizeQuery({ clientId, params: { [name]: value } });
      const once = await as(world.app, null)
        .get(`/connect/authorize?${query}`)
        .set('x-client-address', anyAddress());
      expect([name, value, isClientError(once.status)]).toEqual([name, value, true]);
      expect(once.headers['location'] ?? '').not.toMatch(/[\r\n]/);
      expect(once.text).not.toContain('<script>');
    }
    const { query } = authorizeQuery({ clientId });
    const twice = await as(world.app, null)
      .get(`/connect/authorize?${query}&${name}=a&${name}=b`)
      .set('x-client-address', anyAddress());
    expect([name, isClientError(twice.status)]).toEqual([name, true]);
    expect(twice.headers['location'] ?? '').not.toContain('/connect/consent/');
  });

  it.each(['/connect/token', '/connect/revoke'])(
    'in the fields of %s',
    async (path) => {
      for (const grant of [
        'authorization_code',
        'refresh_token',
        'password',
        'client_credentials',
      ]) {
        for (const name of fields) {
          for (const value of hostile) {
            const form = { grant_type: grant, client_id: clientId, token: 'x', [name]: value };
            const { status } = await as(world.app, null).post(path).type('form').send(form);
            expect([path, name, value, isClientError(status)]).toEqual([path, name, value, true]);
            expect(status === 200 && path === '/connect/token').toBe(false);
          }
        }
      }
    },
    60_000,
  );

  it('in a body of another kind', async () => {
    for (const path of ['/connect/token', '/connect/revoke', '/connect/register']) {
      for (const [type, body] of [
        ['text/plain', 'x'],
        ['application/json', '{'],
        ['application/json', '[]'],
        ['application/json', 'null'],
        ['application/x-www-form-urlencoded', 'a=1&a=2'],
        ['application/x-www-form-urlencoded', '%FF'],
        ['application/x-www-form-urlencoded', `a=${'x'.repeat(40_000)}`],
        ['application/json', JSON.stringify({ redirect_uris: 'x'.repeat(20_000) })],
      ] as const) {
        const { status } = await as(world.app, null).post(path).type(type).send(body);
        expect([path, type, status >= 400 && status < 500]).toEqual([path, type, true]);
      }
    }
  });

  it('in the metadata of a client', async () => {
    const lone = ['\ud800', ['https://app.example/\ud800'], ['https://app.example/\u0000']];
    for (const value of [...hostile, ...lone, null, 1, {}, [], [[]], [{}], [null], true]) {
      for (const name of [
        'redirect_uris',
        'client_name',
        'grant_types',
        'response_types',
        'jwks',
      ]) {
        const { status } = await postRegistration(world.app, { [name]: value });
        expect([name, value, isClientError(status)]).toEqual([name, value, true]);
      }
    }
  });
});

it('a flood of registrations leaves one row for each that was accepted, and no more than 120', async () => {
  const count = async () =>
    Number(
      (await world.sql("select count(*) from auth.oauth_records where kind = 'Client'"))[0]?.[
        'count'
      ],
    );
  const before = await count();
  const address = '198.51.100.77';
  const statuses: number[] = [];
  for (let round = 0; round < 10; round += 1) {
    const batch = Array.from({ length: 20 }, () => postRegistration(world.app, {}, address));
    statuses.push(...(await Promise.all(batch)).map(({ status }) => status));
  }
  expect(statuses.filter((status) => status === 201)).toHaveLength(30);
  expect(statuses.filter((status) => status === 429)).toHaveLength(170);
  expect((await count()) - before).toBe(30);
});

describe('a token request as JSON', () => {
  it('is 415, and the reason names the type that the route reads', async () => {
    const response = await as(world.app, null)
      .post('/connect/token')
      .set('x-client-address', anyAddress())
      .send({ grant_type: 'authorization_code' });
    expect(response.status).toBe(415);
    expect(response.body).toEqual({
      error: 'invalid_request',
      error_description: 'The body must be application/x-www-form-urlencoded.',
    });
  });
});
