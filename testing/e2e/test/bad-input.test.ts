import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { localOperatorId, publicRoutes, type RouteContract } from '@commonplace/contracts';
import { testIdentitySecrets } from '@commonplace/testkit';
import { pathOf } from '../src/access-matrix.ts';
import { bearer, type Api, type ApiCall } from '../src/call-api.ts';
import { makeConnection } from '../src/make-connection.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { makeCompany, makeCompanyKey, type CompanyWorld } from '../src/world.ts';

let system: TestSystem;
let company: CompanyWorld;
let board: Api;
/** An agent of a company that only edits are sent to. */
let agent: Api;

beforeAll(async () => {
  system = await startTestSystem('local_trusted', {
    env: { RATE_LIMIT_PER_SECOND: '0', INTERNAL_IDENTITY_SECRETS: testIdentitySecrets[0] },
  });
  board = system.as({});
  company = await makeCompany(board, 'Hostile', { baseUrl: system.baseUrl, withInvite: false });
  const { connectionId } = await makeConnection(system, company, { operatorId: localOperatorId });
  company = { ...company, connectionId };
  agent = system.as(bearer((await makeCompanyKey(board, 'Edited')).key));
}, 120_000);
afterAll(async () => {
  await system.stop();
});

const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`;
const bodies: readonly (readonly [string, ApiCall])[] = [
  ['malformed JSON', { raw: '{"title":' }],
  ['a bare string', { raw: '"text"' }],
  ['an array', { raw: '[]' }],
  ['null', { raw: 'null' }],
  ['an unknown field', { raw: '{"no such field":1}' }],
  ['__proto__', { raw: '{"__proto__":{"isAdmin":true},"constructor":1}' }],
  ['deep nesting', { raw: deep }],
  ['5,000 levels', { raw: `${'['.repeat(5000)}${']'.repeat(5000)}` }],
  ['bytes that are no UTF-8', { raw: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }],
  [
    'NUL in every string',
    {
      raw: '{"name":"a\\u0000b","title":"\\u0000","email":"\\u0000","token":"\\u0000","role":"\\u0000","password":"\\u0000","clientId":"\\u0000"}',
    },
  ],
  [
    'lone surrogates',
    {
      raw: '{"name":"\\ud800","title":"\\udfff","email":"\\ud800","token":"\\ud800","role":"\\ud800","clientId":"\\ud800"}',
    },
  ],
  [
    'numbers out of range',
    {
      raw: '{"ttlSeconds":1e308,"reserveCents":-1,"costCents":9007199254740993,"limit":1e999,"revision":-1}',
    },
  ],
  ['another content type', { raw: 'name=x', headers: { 'content-type': 'text/plain' } }],
  ['a compressed body', { raw: '{}', headers: { 'content-encoding': 'gzip' } }],
];
const queries = [
  'limit=0',
  'limit=201',
  'limit=abc',
  'limit=1&limit=2',
  'cursor=%00',
  'cursor=garbage',
  'nope=1',
  'q=%FF',
  'limit=-1',
  'order=sideways',
];
const badIds = [
  'not-a-uuid',
  '0',
  '%20',
  "'--",
  '00000000-0000-0000-0000-00000000000g',
  'a'.repeat(300),
];

const title = (contract: RouteContract) => `${contract.method.toUpperCase()} ${contract.path}`;
const named = (routes: readonly RouteContract[]) =>
  routes.map((contract) => ({ name: title(contract), contract }));

/** Anything but a server error, and a problem whenever it is a refusal. */
const expectNoServerError = (status: number, contentType: string | null): void => {
  expect(status).toBeLessThan(500);
  if (status >= 400) {
    expect(contentType).toContain('application/problem+json');
  }
};

describe('bad bodies', () => {
  it.each(named(publicRoutes.filter((contract) => contract.body)))(
    'are refused by $name with a 4xx problem',
    async ({ contract }) => {
      for (const [what, call] of bodies) {
        const response = await board(contract.method.toUpperCase(), pathOf(contract, company), {
          ...call,
          headers: { 'x-company-id': company.companyId, ...call.headers },
        });
        expect({ what, isRefused: response.status >= 400 && response.status < 500 }).toEqual({
          what,
          isRefused: true,
        });
        expect(response.status).toBeLessThan(500);
        // MCP has errors of its own form.
        const mayBePlain = contract.responses[response.status] !== undefined;
        expect(response.headers.get('content-type')).toMatch(
          mayBePlain ? /^application\/(?:problem\+)?json/ : /^application\/problem\+json/,
        );
      }
    },
  );

  it('are refused beyond the size limit with 413', async () => {
    const response = await board('PUT', `/api/notes/${company.noteId}`, {
      raw: JSON.stringify({ title: 'x', content: 'y'.repeat(2.2 * 1024 * 1024) }),
      headers: { 'x-company-id': company.companyId },
    });
    expect(response.status).toBe(413);
  });
});

describe('bad ids in the path', () => {
  it.each(named(publicRoutes.filter((contract) => contract.params)))(
    'are refused by $name with 400',
    async ({ contract }) => {
      for (const id of badIds) {
        const path = contract.path.replaceAll(/\{\w+\}/g, id);
        const response = await board(contract.method.toUpperCase(), path);
        expect({ path, status: response.status }).toEqual({ path, status: 400 });
      }
    },
  );
});

describe('invalid queries', () => {
  it.each(named(publicRoutes.filter((contract) => contract.method === 'get')))(
    'are never a server error at $name',
    async ({ contract }) => {
      for (const query of queries) {
        const response = await board('GET', `${pathOf(contract, company)}?${query}`, {
          headers: { 'x-company-id': company.companyId },
        });
        expect({ query, isServerError: response.status >= 500 }).toEqual({
          query,
          isServerError: false,
        });
        expectNoServerError(response.status, response.headers.get('content-type'));
      }
      // An identity provider may add parameters to the address that it sends the browser to.
      if (contract.operationId === 'finishOidcSignIn') {
        return;
      }
      const unknown = await board('GET', `${pathOf(contract, company)}?nope=1`, {
        headers: { 'x-company-id': company.companyId },
      });
      const isForAgents =
        contract.access.kind === 'company' && contract.access.operators === 'never';
      expect(unknown.status).toBe(isForAgents ? 403 : 400);
    },
  );
});

describe('a wrong bearer', () => {
  it.each(named(publicRoutes.filter((contract) => contract.access.kind !== 'public')))(
    'is 401 at $name in local trusted mode too',
    async ({ contract }) => {
      const otherKey = company.key.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'));
      for (const credential of ['nonsense', otherKey, `${company.runToken}x`]) {
        const response = await system.as(bearer(credential))(
          contract.method.toUpperCase(),
          pathOf(contract, company),
        );
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toContain('invalid_token');
      }
    },
  );
});

describe('the log', () => {
  it('holds nothing of a secret after all of this', () => {
    const written = system.output();
    expect(written).toContain('"route"');
    for (const secret of [
      company.key,
      company.key.slice(4, 30),
      company.runToken,
      company.runToken.split('.')[2] ?? '',
    ]) {
      expect(written.includes(secret)).toBe(false);
    }
  });
});

const content = '# Plan\n## Risks\nnone\n# Log\n## Risks\nnone\n';
const append = (text: string) => ({ op: 'append', text });

/** Edits that must not be applied, each after one that could be: [what, status, code, edits]. */
const badEdits: readonly (readonly [string, number, string, readonly unknown[]])[] = [
  ['an unknown op', 400, 'validation_failed', [append('x'), { op: 'rewrite', text: 'x' }]],
  ['no op', 400, 'validation_failed', [append('x'), { text: 'x' }]],
  ['a field too many', 400, 'validation_failed', [append('x'), { ...append('x'), heading: 'Log' }]],
  [
    'an empty find',
    400,
    'validation_failed',
    [append('x'), { op: 'replace', find: '', with: 'x' }],
  ],
  ['an empty append', 400, 'validation_failed', [append('x'), append('')]],
  ['a set of nothing', 400, 'validation_failed', [append('x'), { op: 'set' }]],
  ['NUL', 400, 'validation_failed', [append('x'), append('\0')]],
  ['a lone surrogate', 400, 'validation_failed', [append('x'), append('\ud800')]],
  ['no edits', 400, 'validation_failed', []],
  ['33 edits', 400, 'validation_failed', Array.from({ length: 33 }, () => append('x'))],
  [
    'an ambiguous heading',
    409,
    'edit_not_applicable',
    [append('x'), { op: 'insert_after', heading: 'Risks', text: 'x' }],
  ],
  [
    'an unknown heading',
    409,
    'edit_not_applicable',
    [append('x'), { op: 'replace_section', heading: 'Plan/Log', text: 'x' }],
  ],
  [
    'a text that occurs twice',
    409,
    'edit_not_applicable',
    [append('x'), { op: 'replace', find: 'none', with: 'x' }],
  ],
  ['a note beyond 512 KiB', 413, 'body_too_large', [append('x'), append('y'.repeat(512 * 1024))]],
  [
    'a note beyond 512 KiB by replacing',
    413,
    'body_too_large',
    [append('x'), { op: 'replace', find: 'none', with: 'y'.repeat(300_000), count: 2 }],
  ],
  [
    'properties beyond 16 KiB',
    400,
    'validation_failed',
    [append('x'), { op: 'set', properties: { more: 'y'.repeat(10_000) } }],
  ],
  [
    'more than 64 tags',
    400,
    'validation_failed',
    [
      append('x'),
      { op: 'set', tags: { add: Array.from({ length: 64 }, (_, index) => `tag ${index}`) } },
    ],
  ],
];

describe('PATCH /api/notes/{id}', () => {
  it.each(badEdits)(
    'refuses %s with %i, and changes nothing',
    async (...[, status, code, edits]) => {
      const path = `/api/notes/${randomUUID()}`;
      const properties = { some: 'z'.repeat(10_000) };
      const put = { title: 'Edited', content, tags: ['first'], properties };
      expect((await agent('PUT', path, { body: put })).status).toBe(201);
      const before = (await agent('GET', path)).body;
      const refused = await agent('PATCH', path, { body: { edits } });
      expect({ status: refused.status, body: refused.body }).toMatchObject({
        status,
        body: { code },
      });
      expect((await agent('GET', path)).body).toEqual(before);
    },
  );

  it('names the headings that an ambiguous path may mean, and the number of texts found', async () => {
    const path = `/api/notes/${randomUUID()}`;
    await agent('PUT', path, { body: { title: 'Edited', content } });
    const patch = async (edit: object) =>
      (await agent('PATCH', path, { body: { edits: [edit] } })).body;
    expect(await patch({ op: 'insert_after', heading: 'Risks', text: 'x' })).toMatchObject({
      edit: 0,
      candidates: [
        { heading: 'Plan/Risks', line: 2 },
        { heading: 'Log/Risks', line: 5 },
      ],
    });
    expect(await patch({ op: 'replace', find: 'none', with: 'x' })).toMatchObject({
      edit: 0,
      found: 2,
    });
  });
});
