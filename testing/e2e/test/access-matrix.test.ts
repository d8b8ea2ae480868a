import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicRoutes, scopes, type RouteContract, type Scope } from '@commonplace/contracts';
import { identityHeaders, testIdentitySecrets } from '@commonplace/testkit';
import {
  canBeCalled,
  expectationOf,
  expectationOfMixed,
  lateInputs,
  methodsNotOf,
  mixedParams,
  nowhere,
  pathOf,
  type Expectation,
  type MatrixCaller,
} from '../src/access-matrix.ts';
import { bearer, type Api, type ApiResponse } from '../src/call-api.ts';
import { makeConnection, operatorIdOf } from '../src/make-connection.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeCompany, type CompanyWorld } from '../src/world.ts';

let system: TestSystem;
let target: CompanyWorld;
let foreign: CompanyWorld;
let local: TestSystem;
let atHome: CompanyWorld;
let cells = 0;
const headers: Record<string, Readonly<Record<string, string>>> = {};

beforeAll(async () => {
  system = await startTestSystem('authenticated', {
    env: { RATE_LIMIT_PER_SECOND: '0', INTERNAL_IDENTITY_SECRETS: testIdentitySecrets[0] },
  });
  const { baseUrl } = system;
  const boardHeaders = await system.boardHeaders();
  const board = system.as(boardHeaders);
  target = await makeCompany(board, 'Target', { baseUrl, withInvite: true });
  foreign = await makeCompany(board, 'Foreign', { baseUrl, withInvite: true });
  const operatorId = await operatorIdOf(system, boardHeaders);
  const connectionOf = (company: CompanyWorld) => makeConnection(system, company, { operatorId });
  const [own, other] = [await connectionOf(target), await connectionOf(foreign)];
  target = { ...target, connectionId: own.connectionId };
  foreign = { ...foreign, connectionId: other.connectionId };
  headers['own connection'] = bearer(own.token);
  headers['foreign connection'] = bearer(other.token);
  headers['admin'] = boardHeaders;
  headers['viewer'] = await inviteMember(board, target, {
    baseUrl,
    email: 'viewer@example.org',
    role: 'viewer',
  });
  headers['operator'] = await inviteMember(board, target, {
    baseUrl,
    email: 'operator@example.org',
    role: 'operator',
  });
  headers['owner'] = await inviteMember(board, target, {
    baseUrl,
    email: 'owner@example.org',
    role: 'owner',
  });
  headers['lone admin'] = await inviteMember(board, foreign, {
    baseUrl,
    email: 'lone-admin@example.org',
    role: 'owner',
  });
  await promote(board, headers['lone admin']);
  headers['outsider'] = await inviteMember(board, foreign, {
    baseUrl,
    email: 'outsider@example.org',
    role: 'owner',
  });
  headers['own key'] = bearer(target.key);
  headers['own run'] = bearer(target.runToken);
  for (const { name, by, scopes: held } of scopedCallers) {
    const made = await board('POST', `/api/agents/${target.agentId}/${by}s`, {
      headers: { 'x-company-id': target.companyId },
      body: { ...(by === 'key' ? { name } : { ttlSeconds: 3600 }), scopes: held },
    });
    const { key, token } = made.body as { key?: string; token?: string };
    headers[name] = bearer(String(key ?? token));
  }
  for (const { name, by, grants: reached, right } of grantedCallers) {
    const folder = reached === 'miss' ? 'a folder without notes' : '/';
    const grants = [{ folder, ...right }];
    const made = await board('POST', `/api/agents/${target.agentId}/${by}s`, {
      headers: { 'x-company-id': target.companyId },
      body: by === 'key' ? { name, grants } : { ttlSeconds: 3600, grants },
    });
    const { key, token } = made.body as { key?: string; token?: string };
    headers[name] = bearer(String(key ?? token));
  }
  headers['foreign key'] = bearer(foreign.key);
  headers['foreign run'] = bearer(foreign.runToken);
  headers['bad bearer'] = bearer('eyJhbGciOiJub25lIn0.e30.');
  headers['nobody'] = { origin: baseUrl };
  headers['dead session'] = { cookie: 'commonplace.sid=s%3Adead.x', origin: baseUrl };
  local = await startTestSystem('local_trusted', { env: { RATE_LIMIT_PER_SECOND: '0' } });
  atHome = await makeCompany(local.as({}), 'At home', {
    baseUrl: local.baseUrl,
    withInvite: false,
  });
  headers['local operator'] = {};
  headers['local key'] = bearer(atHome.key);
}, 120_000);
afterAll(async () => {
  await local.stop();
  await system.stop();
  process.stderr.write(`access matrix: ${cells} cells over ${publicRoutes.length} routes\n`);
});

/** The headers of a caller; identities of services are signed again, with the secret of the system. */
const headersOf = (name: string): Readonly<Record<string, string>> => {
  const identity = identityHeaders({ kind: 'service', service: 'gateway' });
  switch (name) {
    case 'service identity':
      return identity;
    case 'service identity as bearer':
      return bearer(String(identity['x-gateway-identity']));
    default:
      return headers[name] ?? {};
  }
};

/** Makes an administrator of somebody. */
const promote = async (board: Api, of: Readonly<Record<string, string>>): Promise<void> => {
  const session = await system.as(of)('GET', '/api/auth/session');
  const { operator } = session.body as { operator: { id: string } };
  await board('PATCH', `/api/auth/operators/${operator.id}`, { body: { isAdmin: true } });
};

/** Every kind of caller, by name: their headers exist only once the system runs. */
const callers: readonly Omit<MatrixCaller, 'headers'>[] = [
  { name: 'nobody', kind: 'nobody' },
  { name: 'bad bearer', kind: 'bad_bearer' },
  { name: 'own key', kind: 'agent', by: 'key', isForeign: false },
  { name: 'own run', kind: 'agent', by: 'run', isForeign: false },
  { name: 'foreign key', kind: 'agent', by: 'key', isForeign: true },
  { name: 'foreign run', kind: 'agent', by: 'run', isForeign: true },
  { name: 'own connection', kind: 'agent', by: 'connection', isForeign: false },
  { name: 'foreign connection', kind: 'agent', by: 'connection', isForeign: true },
  { name: 'admin', kind: 'operator', role: 'owner', isAdmin: true },
  { name: 'viewer', kind: 'operator', role: 'viewer', isAdmin: false },
  { name: 'operator', kind: 'operator', role: 'operator', isAdmin: false },
  { name: 'owner', kind: 'operator', role: 'owner', isAdmin: false },
  { name: 'lone admin', kind: 'operator', role: null, isAdmin: true },
  { name: 'outsider', kind: 'operator', role: null, isAdmin: false },
  { name: 'service identity', kind: 'nobody' },
  { name: 'service identity as bearer', kind: 'bad_bearer' },
  { name: 'dead session', kind: 'dead_session' },
] as MatrixCaller[];

/** Agents of the target company with one scope, and with all but one. */
const scopedCallers = scopes.flatMap((scope) => {
  const others = scopes.filter((other) => other !== scope);
  const scoped = (by: 'key' | 'run', name: string, held: readonly Scope[]) =>
    ({ name, kind: 'agent', by, isForeign: false, scopes: held }) as const;
  return [
    scoped('key', `key with ${scope}`, [scope]),
    scoped('key', `key without ${scope}`, others),
    scoped('run', `run with ${scope}`, [scope]),
    scoped('run', `run without ${scope}`, others),
  ];
});

/** Agents of the target company that reach the note of the paths, and not. */
const grantedCallers = [
  {
    name: 'key of another folder',
    kind: 'agent',
    by: 'key',
    isForeign: false,
    grants: 'miss',
    right: { scope: 'any' },
  },
  {
    name: 'run of the folder',
    kind: 'agent',
    by: 'run',
    isForeign: false,
    grants: 'cover',
    right: { scope: 'any' },
  },
  {
    name: 'run that adds to the folder',
    kind: 'agent',
    by: 'run',
    isForeign: false,
    grants: 'cover',
    right: { scope: 'append' },
  },
  {
    name: 'run that proposes in the folder',
    kind: 'agent',
    by: 'run',
    isForeign: false,
    grants: 'cover',
    right: { scope: 'any', mode: 'propose' },
  },
] as const;

/** Of local trusted mode, where no credential is the local board operator. */
const localCallers = [
  { name: 'local operator', kind: 'operator', role: 'owner', isAdmin: true },
  { name: 'local key', kind: 'agent', by: 'key', isForeign: false },
  { name: 'bad bearer', kind: 'bad_bearer' },
] as MatrixCaller[];

const namesOf = (each: { readonly name: string }) => each.name;

const bodyFor = (hasBody: boolean) => (hasBody ? { body: { 'no such field': true } } : {});

/**
 * With `X-Company-Id` naming the target company the gateway's own check responses first; without it the
 * services must find the owner of the entity or path. A route of the selected company has no other source.
 */
const namings = (contract: RouteContract): readonly boolean[] =>
  contract.access.kind === 'company' && contract.access.company !== 'selected'
    ? [true, false]
    : [true];

const cellsOf = (contract: RouteContract, of: readonly Omit<MatrixCaller, 'headers'>[]) =>
  of
    .map((caller) => ({ ...caller, headers: {} }) as MatrixCaller)
    .filter((caller) => canBeCalled(contract, expectationOf(contract, caller)))
    .flatMap((caller) =>
      namings(contract).map((isNamed) => ({
        caller,
        isNamed,
        name: `${caller.name}${isNamed ? '' : ', naming no company'}`,
      })),
    );

type Cell = ReturnType<typeof cellsOf>[number] & { readonly contract: RouteContract };

/** Runs a cell in a system, in which `home` is the company that the path is about. */
const check = async (of: TestSystem, home: CompanyWorld, { contract, caller, isNamed }: Cell) => {
  cells += 1;
  const isOfCompany = contract.access.kind === 'company';
  const naming = isOfCompany && isNamed ? { 'x-company-id': home.companyId } : {};
  const response = await of.as({ ...headersOf(caller.name), ...naming })(
    contract.method.toUpperCase(),
    pathOf(contract, home),
    bodyFor(contract.body !== undefined),
  );
  const expected = expectationOf(contract, caller);
  return { actual: outcomeOf(expected, response), expected: wordsOf(expected) };
};

/** What a refusal says, and of everything else only that it is none. */
const outcomeOf = (expected: Expectation, response: ApiResponse) =>
  expected === 'granted' && response.status !== 401 && response.status !== 403
    ? 'granted'
    : { status: response.status, code: (response.body as { code?: string }).code };

const wordsOf = (expected: Expectation) =>
  expected === 'granted' ? 'granted' : { status: expected.status, code: expected.codes[0] };

const routes = publicRoutes.map((contract) => ({
  name: `${contract.method.toUpperCase()} ${contract.path}`,
  contract,
}));

describe.each(routes)('$name', ({ contract }) => {
  it.each(cellsOf(contract, [...callers, ...scopedCallers, ...grantedCallers]))(
    'treats $name as declared',
    async (cell) => {
      const { actual, expected } = await check(system, target, { ...cell, contract });
      expect(actual).toEqual(expected);
    },
  );

  it.each(cellsOf(contract, localCallers))(
    'treats $name as declared, in local trusted mode',
    async (cell) => {
      const { actual, expected } = await check(local, atHome, { ...cell, contract });
      expect(actual).toEqual(expected);
    },
  );
});

/** Who works in the target company: for them the other one's ids are foreign, whatever else is right. */
const residents = ['own key', 'own run', 'viewer', 'operator', 'owner', 'nobody'];
const mixed = routes.flatMap(({ name, contract }) =>
  mixedParams(contract).map((names) => ({
    name: `${name}, ${names.join(' and ')}`,
    contract,
    names,
  })),
);

describe.each(mixed)('ids of two companies: $name of the other', ({ contract, names }) => {
  it.each(callers.map(namesOf).filter((name) => residents.includes(name)))(
    'are refused to %s',
    async (name) => {
      const caller = callers.find((each) => each.name === name) as MatrixCaller;
      const expected = expectationOfMixed(contract, caller);
      for (const naming of [{}, { 'x-company-id': target.companyId }]) {
        cells += 1;
        const response = await system.as({ ...headersOf(name), ...naming })(
          contract.method.toUpperCase(),
          pathOf(contract, target, { of: foreign, names }),
          bodyFor(contract.body !== undefined),
        );
        expect(outcomeOf(expected, response)).toEqual(wordsOf(expected));
        expect(JSON.stringify(response.body)).not.toContain(foreign.companyId);
      }
    },
  );

  it('are refused to a caller that belongs to both', async () => {
    const paths = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    // Where every id is of the other company nothing is mixed: that is just its own request.
    const isMixed = paths.length > names.length && mixedParams(contract).length > 1;
    const naming = isMixed ? {} : { 'x-company-id': target.companyId };
    cells += 1;
    const response = await system.as({ ...headersOf('admin'), ...naming })(
      contract.method.toUpperCase(),
      pathOf(contract, target, { of: foreign, names }),
      bodyFor(contract.body !== undefined),
    );
    const isForAgents = contract.access.kind === 'company' && contract.access.operators === 'never';
    expect(outcomeOf('granted', response)).toEqual({
      status: 403,
      code: isForAgents ? 'agent_only' : 'cross_company',
    });
  });
});

const late = routes.flatMap(({ name, contract }) =>
  lateInputs(contract)
    .filter(() => contract.access.kind === 'company' && contract.access.entities !== undefined)
    .map((input) => ({ name: `${name} with ${input.name}`, contract, input })),
);

describe.each(late)('what only a handler refuses: $name', ({ contract, input }) => {
  const { body, query = '' } = input;
  const names = mixedParams(contract).flat();
  const checkLate = async (name: string, of: CompanyWorld, naming: object) => {
    cells += 1;
    return system.as({ ...headersOf(name), ...naming, ...input.headers })(
      contract.method.toUpperCase(),
      pathOf(contract, target, { of, names }) + query,
      body === undefined ? {} : { body },
    );
  };

  it.each(residents)('is 403 to %s where the entity is of another company', async (name) => {
    const caller = callers.find((each) => each.name === name) as MatrixCaller;
    const expected = expectationOfMixed(contract, caller);
    for (const naming of [{}, { 'x-company-id': target.companyId }]) {
      const response = await checkLate(name, foreign, naming);
      expect(outcomeOf(expected, response)).toEqual(wordsOf(expected));
      expect(JSON.stringify(response.body)).not.toContain(foreign.companyId);
    }
  });

  it('is 404 if the entity does not exist and cannot be created', async () => {
    const isMaking =
      contract.access.kind === 'company' && contract.access.company === 'entity_or_selected';
    const response = await checkLate('owner', nowhere(target), {});
    expect(isMaking ? 404 : response.status).toBe(404);
  });
});

describe.each([...new Set(publicRoutes.map(({ path }) => path))])('%s', (path) => {
  it.each(methodsNotOf(path, publicRoutes))('rejects %s from every caller', async (method) => {
    const contract = publicRoutes.find((route) => route.path === path) as RouteContract;
    for (const name of ['nobody', 'bad bearer', 'own key', 'admin']) {
      cells += 1;
      const response = await system.as(headersOf(name))(method, pathOf(contract, target));
      expect([response.status, response.headers.get('allow')]).toEqual([405, expect.any(String)]);
    }
  });
});
