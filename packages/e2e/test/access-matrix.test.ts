import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { publicRoutes, type RouteContract } from '@commonplace/contracts';
import {
  canBeCalled,
  expectationOf,
  pathOf,
  type Expectation,
  type MatrixCaller,
} from '../src/access-matrix.ts';
import { bearer, type ApiAnswer } from '../src/call-api.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeCompany, type CompanyWorld } from '../src/world.ts';

let system: TestSystem;
let target: CompanyWorld;
let foreign: CompanyWorld;
const headers: Record<string, Readonly<Record<string, string>>> = {};

beforeAll(async () => {
  system = await startTestSystem('authenticated', { env: { RATE_LIMIT_PER_SECOND: '0' } });
  const { baseUrl } = system;
  const boardHeaders = await system.boardHeaders();
  const board = system.as(boardHeaders);
  target = await makeCompany(board, 'Target', { baseUrl, withInvite: true });
  foreign = await makeCompany(board, 'Foreign', { baseUrl, withInvite: true });
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
  headers['stranger'] = await inviteMember(board, foreign, {
    baseUrl,
    email: 'stranger@example.org',
    role: 'owner',
  });
  headers['own key'] = bearer(target.key);
  headers['own run'] = bearer(target.runToken);
  headers['foreign key'] = bearer(foreign.key);
  headers['foreign run'] = bearer(foreign.runToken);
  headers['bad bearer'] = bearer('eyJhbGciOiJub25lIn0.e30.');
  headers['nobody'] = { origin: baseUrl };
}, 120_000);
afterAll(async () => {
  await system.stop();
});

/** Every kind of caller, told apart from its headers, which exist only once the system runs. */
const callers: readonly Omit<MatrixCaller, 'headers'>[] = [
  { name: 'nobody', kind: 'nobody' },
  { name: 'bad bearer', kind: 'bad_bearer' },
  { name: 'own key', kind: 'agent', by: 'key', isForeign: false },
  { name: 'own run', kind: 'agent', by: 'run', isForeign: false },
  { name: 'foreign key', kind: 'agent', by: 'key', isForeign: true },
  { name: 'foreign run', kind: 'agent', by: 'run', isForeign: true },
  { name: 'admin', kind: 'operator', role: 'owner', isAdmin: true },
  { name: 'viewer', kind: 'operator', role: 'viewer', isAdmin: false },
  { name: 'operator', kind: 'operator', role: 'operator', isAdmin: false },
  { name: 'stranger', kind: 'operator', role: null, isAdmin: false },
] as MatrixCaller[];

const bodyFor = (hasBody: boolean) => (hasBody ? { body: { 'no such field': true } } : {});

/**
 * With `X-Company-Id` naming the target company the gateway's own check answers first; without it the
 * services have to tell whose entity or path it is. A route of the selected company has no other way.
 */
const namings = (contract: RouteContract): readonly boolean[] =>
  contract.access.kind === 'company' && contract.access.company !== 'selected'
    ? [true, false]
    : [true];

const cellsOf = (contract: RouteContract) =>
  callers
    .map((caller) => ({ ...caller, headers: {} }) as MatrixCaller)
    .filter((caller) => canBeCalled(contract, expectationOf(contract, caller)))
    .flatMap((caller) =>
      namings(contract).map((isNamed) => ({
        caller,
        isNamed,
        name: `${caller.name}${isNamed ? '' : ', naming no company'}`,
      })),
    );

/** What a refusal says, and of everything else only that it is none. */
const judgementOf = (expected: Expectation, answer: ApiAnswer) =>
  expected === 'granted' && answer.status !== 401 && answer.status !== 403
    ? 'granted'
    : { status: answer.status, code: (answer.body as { code?: string }).code };

describe.each(
  publicRoutes.map((contract) => ({
    name: `${contract.method.toUpperCase()} ${contract.path}`,
    contract,
  })),
)('$name', ({ contract }) => {
  it.each(cellsOf(contract))('judges $name as declared', async ({ caller, isNamed }) => {
    const expected = expectationOf(contract, caller);
    const isOfCompany = contract.access.kind === 'company';
    const naming = isOfCompany && isNamed ? { 'x-company-id': target.companyId } : {};
    const answer = await system.as({ ...headers[caller.name], ...naming })(
      contract.method.toUpperCase(),
      pathOf(contract, target),
      bodyFor(contract.body !== undefined),
    );
    expect(judgementOf(expected, answer)).toEqual(
      expected === 'granted' ? 'granted' : { status: expected.status, code: expected.codes[0] },
    );
  });
});

describe('sub-resources with mixed ids', () => {
  it('answers 403 for a key of another company below an agent of the own one', async () => {
    const answer = await system.as(headers['operator'] ?? {})(
      'DELETE',
      `/api/agents/${target.agentId}/keys/${foreign.keyId}`,
    );
    expect(answer.status).toBe(403);
  });

  it('names no other company in a refusal', async () => {
    const answer = await system.as(headers['foreign key'] ?? {})(
      'GET',
      `/api/notes/${target.noteId}`,
    );
    expect(JSON.stringify(answer.body)).not.toContain(target.companyId);
  });
});
