import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  agentId,
  companyId,
  keyId,
  operatorId,
  runId,
  sessionId,
  type ServiceName,
} from '@commonplace/contracts';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import {
  agentCaller,
  grant,
  identityHeaders,
  localOperatorCaller,
  operatorCaller,
  testIdentitySecrets,
} from '@commonplace/testkit';
import { createApi, type Api } from '../src/call-api.ts';
import { startTestSystem, type TestSystem } from '../src/test-system.ts';
import { inviteMember, makeCompany, memberPassword, type CompanyWorld } from '../src/world.ts';
import { signIn } from '../src/sign-in.ts';

/**
 * The gateway signs a caller for ten seconds. A request that waits inside a service for longer, however it came about,
 * is carried out if its caller still may, and refused if not. Here the services are called as the gateway would,
 * with identities that ended two seconds ago.
 */
const agedMs = 12_000;

let system: TestSystem;
let board: Api;

beforeAll(async () => {
  system = await startTestSystem('authenticated', {
    env: { INTERNAL_IDENTITY_SECRETS: testIdentitySecrets.join(','), RATE_LIMIT_PER_SECOND: '0' },
  });
  board = system.as(await system.boardHeaders());
}, 120_000);
afterAll(async () => {
  await system?.stop();
});

type Call = readonly [service: ServiceName, method: string, path: string, body?: object];

/** Calls a service itself; the status of its response. */
const send = async (
  caller: AgentCaller | OperatorCaller,
  [service, method, path, body]: Call,
): Promise<number> => {
  const found = system.system.processes.find(({ name }) => name === service);
  const headers = identityHeaders(caller, Date.now() - agedMs);
  const api = createApi({ baseUrl: `http://127.0.0.1:${found?.port}`, headers });
  return (await api(method, path, body ? { body } : {})).status;
};

const statusesOf = async (
  caller: AgentCaller | OperatorCaller,
  calls: readonly Call[],
): Promise<number[]> => {
  const statuses: number[] = [];
  for (const each of calls) {
    statuses.push(await send(caller, each));
  }
  return statuses;
};

type Member = {
  readonly caller: OperatorCaller;
  readonly email: string;
  readonly id: string;
  /** Calls through the gateway, with the session of the caller. */
  readonly api: Api;
  /** The same operator on another device. */
  readonly elsewhere: () => Promise<Api>;
};

const makeMember = async (
  company: CompanyWorld,
  role: 'owner' | 'operator',
  isAdmin = false,
): Promise<Member> => {
  const { baseUrl } = system;
  const email = `${randomUUID()}@example.org`;
  const headers = await inviteMember(board, company, { baseUrl, email, role });
  const api = system.as(headers);
  const session = (await api('GET', '/api/auth/session')).body as { operator: { id: string } };
  const sessions = (await api('GET', '/api/auth/sessions')).body as {
    items: { id: string; current: boolean }[];
  };
  const { id } = session.operator;
  if (isAdmin) {
    await board('PATCH', `/api/auth/operators/${id}`, { body: { isAdmin } });
  }
  const caller = operatorCaller({
    operatorId: operatorId.parse(id),
    email,
    isAdmin,
    sessionId: sessionId.parse(sessions.items.find(({ current }) => current)?.id),
    companies: [grant(companyId.parse(company.companyId), role)],
  });
  const elsewhere = async () =>
    system.as(await signIn({ baseUrl, email, password: memberPassword }));
  return { caller, email, id, api, elsewhere };
};

/** Something of every service that the caller of a case may. */
const aNote = (): Call => ['notes', 'PUT', `/api/notes/${randomUUID()}`, { title: 'Waited' }];
const aRead: Call = ['notes', 'GET', '/api/notes?limit=1'];
const aKey = ({ agentId: id }: CompanyWorld): Call => [
  'agents',
  'POST',
  `/api/agents/${id}/keys`,
  { name: 'Waited' },
];
const aCompany = (): Call => ['agents', 'POST', '/api/companies', { name: 'Waited' }];
const companies: Call = ['agents', 'GET', '/api/companies'];
const ownSession: Call = ['auth', 'GET', '/api/auth/session'];
const operators: Call = ['auth', 'GET', '/api/auth/operators'];

type Case = {
  readonly caller: AgentCaller | OperatorCaller;
  readonly calls: readonly Call[];
  readonly end: () => ReturnType<Api>;
  /** The statuses after that. */
  readonly refusals: readonly number[];
};

const keyOf = (company: CompanyWorld): AgentCaller =>
  agentCaller({
    agentId: agentId.parse(company.agentId),
    companyId: companyId.parse(company.companyId),
    keyId: keyId.parse(company.keyId),
  });
const runOf = (company: CompanyWorld): AgentCaller =>
  agentCaller({ ...keyOf(company), keyId: null, runId: runId.parse(company.runId) });

const byMember = (company: CompanyWorld): Call[] => [
  aNote(),
  aRead,
  aKey(company),
  companies,
  ownSession,
];

const cases: Readonly<Record<string, (company: CompanyWorld) => Promise<Case>>> = {
  'a revoked key': async (company) => ({
    caller: keyOf(company),
    calls: [
      aNote(),
      aRead,
      ['agents', 'POST', `/api/agents/${company.agentId}/runs`, {}],
      companies,
    ],
    end: () => board('DELETE', `/api/agents/${company.agentId}/keys/${company.keyId}`),
    refusals: [401, 401, 401, 401],
  }),
  'a cancelled run': async (company) => ({
    caller: runOf(company),
    calls: [aNote(), aRead, ['agents', 'POST', `/api/runs/${company.runId}/renew`, {}], companies],
    end: () => board('POST', `/api/runs/${company.runId}/cancel`),
    refusals: [401, 401, 401, 401],
  }),
  'a key of a terminated agent': async (company) => ({
    caller: keyOf(company),
    calls: [aNote(), ['agents', 'GET', '/api/agents/me']],
    end: () => board('POST', `/api/agents/${company.agentId}/terminate`),
    refusals: [401, 401],
  }),
  'a removed member': async (company) => {
    const { caller, id } = await makeMember(company, 'operator');
    return {
      caller,
      calls: [aNote(), aRead, aKey(company)],
      end: () => board('DELETE', `/api/companies/${company.companyId}/members/${id}`),
      refusals: [403, 403, 403],
    };
  },
  'a member who is a viewer by then': async (company) => {
    const { caller, id } = await makeMember(company, 'operator');
    const path = `/api/companies/${company.companyId}/members/${id}`;
    return {
      caller,
      calls: [aNote(), aRead, aKey(company)],
      end: () => board('PATCH', path, { body: { role: 'viewer' } }),
      refusals: [403, 200, 403],
    };
  },
  'a disabled operator': async (company) => {
    const { caller, id } = await makeMember(company, 'operator');
    return {
      caller,
      calls: byMember(company),
      end: () => board('PATCH', `/api/auth/operators/${id}`, { body: { disabled: true } }),
      refusals: [401, 401, 401, 401, 401],
    };
  },
  'a session that logged out': async (company) => {
    const { caller, api } = await makeMember(company, 'operator');
    return {
      caller,
      calls: byMember(company),
      end: () => api('POST', '/api/auth/logout'),
      refusals: [401, 401, 401, 401, 401],
    };
  },
  'a session that was ended from another device': async (company) => {
    const { caller, elsewhere } = await makeMember(company, 'operator');
    const other = await elsewhere();
    return {
      caller,
      calls: byMember(company),
      end: () => other('DELETE', `/api/auth/sessions/${caller.sessionId}`),
      refusals: [401, 401, 401, 401, 401],
    };
  },
  'an administrator who is none by then': async (company) => {
    const { caller, id } = await makeMember(company, 'owner', true);
    return {
      caller,
      calls: [operators, aCompany(), aKey(company)],
      end: () => board('PATCH', `/api/auth/operators/${id}`, { body: { isAdmin: false } }),
      refusals: [403, 403, 201],
    };
  },
  'an administrator who logged out': async (company) => {
    const { caller, api } = await makeMember(company, 'owner', true);
    return {
      caller,
      calls: [operators, aCompany(), aKey(company)],
      end: () => api('POST', '/api/auth/logout'),
      refusals: [401, 401, 401],
    };
  },
};

describe('a request whose identity ended while it waited in a service', () => {
  it.each(Object.entries(cases))(
    'is executed, and refused once its caller loses access: %s',
    async (name, prepare) => {
      const { baseUrl } = system;
      const company = await makeCompany(board, name, { baseUrl, withInvite: false });
      const { caller, calls, end, refusals } = await prepare(company);
      const before = await statusesOf(caller, calls);
      expect(before.filter((status) => status >= 300)).toEqual([]);
      expect((await end()).status).toBeLessThan(300);
      expect(await statusesOf(caller, calls)).toEqual(refusals);
    },
    60_000,
  );

  it('is executed for the local operator, who has no session that could end', async () => {
    const { baseUrl } = system;
    const company = await makeCompany(board, 'Local', { baseUrl, withInvite: false });
    const id = companyId.parse(company.companyId);
    const caller = localOperatorCaller({ selectedCompanyId: id, companies: [grant(id)] });
    const calls = [...byMember(company), operators, aCompany()];
    const statuses = await statusesOf(caller, calls);
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
  });
});
