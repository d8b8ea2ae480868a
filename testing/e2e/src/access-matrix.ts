import {
  roleAllows,
  type ErrorCode,
  type Role,
  type RouteContract,
  type Scope,
} from '@commonplace/contracts';
import type { CompanyWorld } from './world.ts';

/** A kind of caller, by its access. All routes address the first company. */
export type MatrixCaller = {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
} & (
  | { readonly kind: 'nobody' }
  | { readonly kind: 'bad_bearer' }
  | { readonly kind: 'dead_session' }
  | {
      readonly kind: 'agent';
      readonly by: 'key' | 'run' | 'connection';
      readonly isForeign: boolean;
      /** Of a credential with fewer than all; its run is not the one in the paths. */
      readonly scopes?: readonly Scope[];
      /** Whether its grants reach the note of the paths; absent: it has none. */
      readonly grants?: 'miss' | 'cover';
    }
  | { readonly kind: 'operator'; readonly role: Role | null; readonly isAdmin: boolean }
);

/** The expected result: one of these codes, or, if access is granted, anything except 401 and 403. */
export type Expectation =
  | { readonly status: number; readonly codes: readonly ErrorCode[] }
  | 'granted';

const refusal = (status: number, ...codes: readonly ErrorCode[]): Expectation => ({
  status,
  codes,
});

const isScopeMissing = (
  required: Scope | 'any',
  { scopes: held }: MatrixCaller & { kind: 'agent' },
): boolean => required !== 'any' && held !== undefined && !held.includes(required);

const forAgent = (
  contract: RouteContract,
  caller: MatrixCaller & { kind: 'agent' },
): Expectation => {
  const { access } = contract;
  if (access.kind === 'caller' && access.agents) {
    return isScopeMissing(access.scope, caller) ? refusal(403, 'insufficient_scope') : 'granted';
  }
  if (access.kind !== 'company' || access.agents === 'never') {
    return refusal(403, 'operator_only');
  }
  if (access.agents === 'itself_by_key' && caller.by === 'run') {
    return refusal(403, 'key_required');
  }
  if (isScopeMissing(access.scope, caller)) {
    return refusal(403, 'insufficient_scope');
  }
  if (
    access.agents === 'itself_by_key_or_run' &&
    caller.by === 'run' &&
    (caller.scopes ?? caller.grants)
  ) {
    return refusal(403, 'not_own_agent');
  }
  if (caller.isForeign) {
    return refusal(403, 'cross_company');
  }
  return isBeyondGrants(contract, caller) ? refusal(403, 'folder_not_granted') : 'granted';
};

/** Whether grants keep a caller from a route, or from the note in its path. */
const isBeyondGrants = (
  { service, access }: RouteContract,
  { grants }: MatrixCaller & { kind: 'agent' },
): boolean => {
  if (service !== 'notes' || access.kind !== 'company' || grants === undefined) {
    return false;
  }
  const isOfNote = Object.values(access.entities ?? {}).includes('note');
  return access.grants !== 'kept' || (grants === 'miss' && isOfNote);
};

const forOperator = (
  contract: RouteContract,
  caller: MatrixCaller & { kind: 'operator' },
): Expectation => {
  const { access } = contract;
  if (access.kind === 'administrator' && !caller.isAdmin) {
    return refusal(403, 'administrator_only');
  }
  if (access.kind !== 'company') {
    return 'granted';
  }
  if (access.operators === 'never') {
    return refusal(403, 'agent_only');
  }
  if (caller.role === null) {
    return refusal(403, 'cross_company');
  }
  return roleAllows(caller.role, access.operators) ? 'granted' : refusal(403, 'role_insufficient');
};

/** Whether a caller has the wrong kind of credential for a route: tokens of connections are for one route alone. */
const isWrongCredential = ({ connections }: RouteContract, caller: MatrixCaller): boolean =>
  (connections === 'only') !== (caller.kind === 'agent' && caller.by === 'connection');

/** The 401 of a credential that is none for the route. */
const noCredential = (caller: MatrixCaller): Expectation =>
  caller.kind === 'agent' || caller.kind === 'bad_bearer'
    ? refusal(401, 'invalid_token')
    : refusal(401, 'credential_required');

/** What a route declares for a caller, without running anything. */
export const expectationOf = (contract: RouteContract, caller: MatrixCaller): Expectation => {
  if (contract.access.kind === 'public') {
    return 'granted';
  }
  if (isWrongCredential(contract, caller)) {
    return noCredential(caller);
  }
  switch (caller.kind) {
    case 'nobody':
      return refusal(401, 'credential_required');
    case 'bad_bearer':
      return refusal(401, 'invalid_token');
    case 'dead_session':
      return refusal(401, 'session_expired');
    case 'agent':
      return forAgent(contract, caller);
    case 'operator':
      return forOperator(contract, caller);
  }
};

/** An id that does not exist. */
const unknownId = '0198a000-0000-7000-8000-00000000ffff';

const idsOf = (company: CompanyWorld): Readonly<Record<string, string>> => ({
  companyId: company.companyId,
  agentId: company.agentId,
  keyId: company.keyId,
  runId: company.runId,
  jobId: company.jobId,
  undoId: company.undoId,
  proposalId: company.proposalId,
  inviteId: company.inviteId,
  connectionId: company.connectionId ?? unknownId,
  id: company.noteId,
  copyId: company.noteId,
  revision: '1',
  operatorId: unknownId,
  sessionId: unknownId,
  passkeyId: unknownId,
  identityId: unknownId,
  uid: 'u'.repeat(43),
});

/** The path of a route with the ids of a company in it; `others` holds those of another one. */
export const pathOf = (
  contract: RouteContract,
  company: CompanyWorld,
  others: { readonly of: CompanyWorld; readonly names: readonly string[] } | null = null,
): string =>
  contract.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
    const id = idsOf(others?.names.includes(name) ? others.of : company)[name];
    if (id === undefined) {
      throw new Error(`The access matrix has no value for {${name}} of ${contract.path}`);
    }
    return id;
  });

/**
 * A granted request must not change the data that other cells rely on: an invalid body stops
 * it at 400, behind the access check. Routes without a body that would change something are not called. Public
 * ones change nothing of the callers.
 */
export const canBeCalled = (
  { access, method, body }: RouteContract,
  expectation: Expectation,
): boolean =>
  expectation !== 'granted' || method === 'get' || body !== undefined || access.kind === 'public';

/** The company-owned parameters of a route's path: each alone, and all except each. */
export const mixedParams = ({ path, access }: RouteContract): readonly (readonly string[])[] => {
  if (access.kind !== 'company') {
    return [];
  }
  const owned = new Set(['companyId', ...Object.keys(access.entities ?? {})]);
  const names = [...path.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => String(name))
    .filter((name) => owned.has(name));
  const others = (name: string) => names.filter((each) => each !== name);
  return names.length < 2
    ? names.map((name) => [name])
    : names.flatMap((name) => [[name], others(name)]);
};

/**
 * What ids of two companies in one path must give a caller of the first: 403, and nothing is looked
 * at before but which kind of caller it is.
 */
export const expectationOfMixed = (contract: RouteContract, caller: MatrixCaller): Expectation => {
  const expected = expectationOf(contract, caller);
  const isOfKind =
    expected !== 'granted' &&
    expected.codes.some((code) =>
      ['operator_only', 'agent_only', 'key_required', 'credential_required'].includes(code),
    );
  return isOfKind ? expected : refusal(403, 'cross_company');
};

/** A company whose ids do not exist. */
export const nowhere = (company: CompanyWorld): CompanyWorld => ({
  ...company,
  companyId: unknownId,
  agentId: unknownId,
  keyId: unknownId,
  runId: unknownId,
  jobId: unknownId,
  undoId: unknownId,
  proposalId: unknownId,
  inviteId: unknownId,
  connectionId: unknownId,
  noteId: unknownId,
});

/** The methods that a path does not have. */
export const methodsNotOf = (path: string, routes: readonly RouteContract[]): readonly string[] => {
  const has = new Set(
    routes.filter((route) => route.path === path).map(({ method }) => method.toUpperCase()),
  );
  return ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter((method) => !has.has(method));
};

/** Input that passes the schemas of a route, so that only its handler can refuse it. */
export type LateInput = {
  readonly name: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

/** Bodies that every schema accepts; the name contains the handler's response. */
const lateBodies: Readonly<Record<string, readonly Omit<LateInput, 'query'>[]>> = {
  createKey: [
    { name: 'an expiry in the past', body: { name: 'late', expiresAt: '2000-01-01T00:00:00Z' } },
  ],
  finishRun: [
    { name: 'another outcome', body: { status: 'failed', costCents: 1 } },
    { name: 'a cost no budget can hold', body: { status: 'failed', costCents: 2 ** 50 } },
  ],
  startRun: [{ name: 'a reservation no budget can hold', body: { reserveCents: 2 ** 50 } }],
  updateAgent: [{ name: 'a manager nobody knows', body: { reportsTo: unknownId } }],
  restoreNote: [{ name: 'a revision there is not', body: { revision: 2_000_000_000 } }],
  rotateKey: [{ name: 'nothing unusual', body: {} }],
  putNote: [{ name: 'a broken If-Match', headers: { 'if-match': 'nonsense' }, body: {} }],
  editNote: [
    {
      name: 'a text that is not there',
      body: { edits: [{ op: 'replace', find: 'a text that is not there', with: '' }] },
    },
  ],
  resolveConflict: [{ name: 'a copy there is not', body: { keep: 'this' } }],
  deleteNote: [{ name: 'a broken If-Match', headers: { 'if-match': 'nonsense' } }],
};

/** All inputs of a route that only its handler refuses. Cursors are recognised by the parameter's name. */
export const lateInputs = ({ operationId, query }: RouteContract): readonly LateInput[] => [
  ...(query && 'cursor' in query.shape
    ? [
        { name: 'a cursor of nothing', query: '?cursor=zzz' },
        { name: 'a cursor of another list', query: `?cursor=${foreignCursor}` },
      ]
    : []),
  ...(lateBodies[operationId] ?? []),
];

const foreignCursor = Buffer.from(
  JSON.stringify({ of: 'AAAAAAAAAAAA', after: ['2026-01-01T00:00:00.000Z', unknownId] }),
).toString('base64url');
