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
import { observeAll } from '../src/observe-all.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { whenAvailable } from '../src/when-available.ts';
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
    env: {
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_SECOND: '0',
      INTERNAL_IDENTITY_SECRETS: testIdentitySecrets[0],
    },
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
  for (const [index, viewer] of grantedViewers.entries()) {
    const folder = 'grants' in viewer && viewer.grants === 'miss' ? 'a folder without notes' : '/';
    const joined = { baseUrl, email: `granted-${index}@example.org`, role: 'viewer' } as const;
    headers[viewer.name] = await inviteMember(board, target, joined);
    await limitViewer(board, headers[viewer.name] ?? {}, [{ folder, scope: 'read' }]);
  }
  headers['foreign key'] = bearer(foreign.key);
  headers['foreign run'] = bearer(foreign.runToken);
  headers['bad bearer'] = bearer('eyJhbGciOiJub25lIn0.e30.');
  headers['nobody'] = { origin: baseUrl };
  headers['dead session'] = { cookie: 'commonplace.sid=s%3Adead.x', origin: baseUrl };
  local = await startTestSystem('local_trusted', {
    env: { LOG_LEVEL: 'error', RATE_LIMIT_PER_SECOND: '0' },
  });
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

/** Limits a viewer of the target company to folders. */
const limitViewer = async (
  board: Api,
  of: Readonly<Record<string, string>>,
  grants: readonly object[],
): Promise<void> => {
  const session = await system.as(of)('GET', '/api/auth/session');
  const { operator } = session.body as { operator: { id: string } };
  const path = `/api/companies/${target.companyId}/members/${operator.id}`;
  const limited = await board('PATCH', path, { body: { grants } });
  expect(limited.status).toBe(200);
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

/** Viewers of the target company that reach the note of the paths, and not. */
const grantedViewers = [
  { name: 'viewer of another folder', kind: 'operator', role: 'viewer', grants: 'miss' },
  { name: 'viewer of the folder', kind: 'operator', role: 'viewer', grants: 'cover' },
].map((viewer) => ({ ...viewer, isAdmin: false })) as MatrixCaller[];

/** Of local trusted mode, where no credential is the local board operator. */
const localCallers = [
  { name: 'local operator', kind: 'operator', role: 'owner', isAdmin: true },
  { name: 'local key', kind: 'agent', by: 'key', isForeign: false },
  { name: 'bad bearer', kind: 'bad_bearer' },
] as MatrixCaller[];

const bodyFor = (hasBody: boolean) => (hasBody ? { body: { 'no such field': true } } : {});

/**
 * With `X-Company-Id` naming the target company the gateway's own check responses first; without it the
 * services must find the owner of the entity or path. A route of the selected company has no other source.
 */
const namings = (contract: RouteContract): readonly boolean[] =>
  contract.access.kind === 'company' && contract.access.company !== 'selected'
    ? [true, false]
    : [true];

/** A request, and what it must give. */
type Cell = {
  readonly name: string;
  readonly send: () => Promise<unknown>;
  readonly expected: unknown;
};

/** The cells of a route in a system, in which `home` is the company that the path is about. */
const cellsOf = (
  contract: RouteContract,
  of: readonly Omit<MatrixCaller, 'headers'>[],
  at: () => { readonly in: TestSystem; readonly home: CompanyWorld },
): readonly Cell[] =>
  of
    .map((caller) => ({ ...caller, headers: {} }) as MatrixCaller)
    .filter((caller) => canBeCalled(contract, expectationOf(contract, caller)))
    .flatMap((caller) =>
      namings(contract).map((isNamed) => {
        const expected = expectationOf(contract, caller);
        const isOfCompany = contract.access.kind === 'company';
        return {
          name: `${caller.name}${isNamed ? '' : ', naming no company'}`,
          expected: wordsOf(expected),
          send: async () => {
            const { in: running, home } = at();
            const naming = isOfCompany && isNamed ? { 'x-company-id': home.companyId } : {};
            const response = await whenAvailable(() =>
              running.as({ ...headersOf(caller.name), ...naming })(
                contract.method.toUpperCase(),
                pathOf(contract, home),
                bodyFor(contract.body !== undefined),
              ),
            );
            return outcomeOf(expected, response);
          },
        };
      }),
    );

/** While one waits for a service, another is made or compared; more would only wait for each other. */
const sentAtOnce = 4;

/** Expects of every cell what is declared; a difference names the cell. */
const expectAll = async (all: readonly Cell[]): Promise<void> => {
  const actual: Record<string, unknown> = {};
  await observeAll(
    all,
    async ({ name, send }) => {
      cells += 1;
      // Such as a response that is not in the OpenAPI document.
      actual[name] = await send().catch((error: Error) => error.message);
    },
    sentAtOnce,
  );
  expect(Object.keys(actual)).toHaveLength(all.length);
  expect(actual).toEqual(Object.fromEntries(all.map(({ name, expected }) => [name, expected])));
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

const everyCaller = [...callers, ...scopedCallers, ...grantedCallers, ...grantedViewers];

describe.each(routes)('$name', ({ contract }) => {
  it('treats every caller as declared', () =>
    expectAll(cellsOf(contract, everyCaller, () => ({ in: system, home: target }))));

  it('treats every caller as declared, in local trusted mode', () =>
    expectAll(cellsOf(contract, localCallers, () => ({ in: local, home: atHome }))));
});

/** Who works in the target company: for them the other one's ids are foreign, whatever else is right. */
const residents = callers
  .filter(({ name }) =>
    ['own key', 'own run', 'viewer', 'operator', 'owner', 'nobody'].includes(name),
  )
  .map((caller) => ({ ...caller, headers: {} }) as MatrixCaller);

/** What residents get for ids of the other company, without and with the name of their own. */
const refusedCells = (
  contract: RouteContract,
  send: (caller: string, naming: Readonly<Record<string, string>>) => Promise<ApiResponse>,
): readonly Cell[] =>
  residents.flatMap((caller) =>
    [false, true].map((isNamed) => {
      const expected = expectationOfMixed(contract, caller);
      return {
        name: `${caller.name}${isNamed ? '' : ', naming no company'}`,
        expected: { outcome: wordsOf(expected), saysForeignId: false },
        send: async () => {
          const naming = isNamed ? { 'x-company-id': target.companyId } : {};
          const response = await whenAvailable(() => send(caller.name, naming));
          const saysForeignId = JSON.stringify(response.body).includes(foreign.companyId);
          return { outcome: outcomeOf(expected, response), saysForeignId };
        },
      };
    }),
  );

const mixed = routes.flatMap(({ name, contract }) =>
  mixedParams(contract).map((names) => ({
    name: `${name}, ${names.join(' and ')}`,
    contract,
    names,
  })),
);

describe.each(mixed)('ids of two companies: $name of the other', ({ contract, names }) => {
  const send = (name: string, naming: Readonly<Record<string, string>>) =>
    system.as({ ...headersOf(name), ...naming })(
      contract.method.toUpperCase(),
      pathOf(contract, target, { of: foreign, names }),
      bodyFor(contract.body !== undefined),
    );

  it('are refused to who works in one', () => expectAll(refusedCells(contract, send)));

  it('are refused to a caller that belongs to both', async () => {
    const paths = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    // Where every id is of the other company nothing is mixed: that is just its own request.
    const isMixed = paths.length > names.length && mixedParams(contract).length > 1;
    cells += 1;
    const response = await send('admin', isMixed ? {} : { 'x-company-id': target.companyId });
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
  const send = (name: string, of: CompanyWorld, naming: Readonly<Record<string, string>>) =>
    system.as({ ...headersOf(name), ...naming, ...input.headers })(
      contract.method.toUpperCase(),
      pathOf(contract, target, { of, names }) + query,
      body === undefined ? {} : { body },
    );

  it('is 403 where the entity is of another company', () =>
    expectAll(refusedCells(contract, (name, naming) => send(name, foreign, naming))));

  it('is 404 if the entity does not exist and cannot be created', async () => {
    const isMaking =
      contract.access.kind === 'company' && contract.access.company === 'entity_or_selected';
    cells += 1;
    const response = await send('owner', nowhere(target), {});
    expect(isMaking ? 404 : response.status).toBe(404);
  });
});

describe.each([...new Set(publicRoutes.map(({ path }) => path))])('%s', (path) => {
  it('has no other methods, for any caller', async () => {
    const contract = publicRoutes.find((route) => route.path === path) as RouteContract;
    const all = methodsNotOf(path, publicRoutes).flatMap((method) =>
      ['nobody', 'bad bearer', 'own key', 'admin'].map((name) => ({
        name: `${method} by ${name}`,
        expected: { status: 405, saysAllowed: true },
        send: async () => {
          const { status, headers: got } = await system.as(headersOf(name))(
            method,
            pathOf(contract, target),
          );
          return { status, saysAllowed: got.get('allow') !== null };
        },
      })),
    );
    await expectAll(all);
  });
});
