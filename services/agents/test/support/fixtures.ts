import type { Agent, Company, CompanyId, CreatedApiKey, Role, Run } from '@commonplace/contracts';
import { makeConnectionToken, type AgentCaller, type OperatorCaller } from '@commonplace/identity';
import { agentCaller, as, grant, operatorCaller, serviceCaller } from '@commonplace/testkit';
import { expect } from '@jest/globals';
import type { World } from './agents-world.ts';

/** A company with its owner, as the gateway would identify it. */
export type TestCompany = {
  readonly world: World;
  readonly id: CompanyId;
  readonly company: Company;
  readonly owner: OperatorCaller;
};

/** Creates a company as an administrator. */
export const createCompany = async (world: World, name = 'Acme'): Promise<TestCompany> => {
  const founder = operatorCaller({ isAdmin: true });
  const response = await as(world.app, founder).post('/api/companies').send({ name });
  expect(response.status).toBe(201);
  const company = response.body as Company;
  return { world, id: company.id, company, owner: { ...founder, companies: [grant(company.id)] } };
};

/** Adds a member without an invite. */
export const addMember = async (home: TestCompany, role: Role): Promise<OperatorCaller> => {
  const caller = operatorCaller({ companies: [grant(home.id, role)] });
  await home.world.sql(
    `insert into agents.memberships (company_id, operator_id, email, name, role, since)
     values ($1, $2, $3, $4, $5, now())`,
    [home.id, caller.operatorId, caller.email, caller.name, role],
  );
  return caller;
};

/** Creates an agent as the owner. */
export const createAgent = async (
  home: TestCompany,
  fields: Record<string, unknown> = {},
): Promise<Agent> => {
  const response = await as(home.world.app, home.owner)
    .post(`/api/companies/${home.id}/agents`)
    .send({ name: 'Ada', role: 'engineer', ...fields });
  expect(response.status).toBe(201);
  return response.body as Agent;
};

/** Creates a key for an agent as the owner. */
export const createKey = async (
  home: TestCompany,
  agent: Agent,
  fields: Record<string, unknown> = {},
): Promise<CreatedApiKey> => {
  const response = await as(home.world.app, home.owner)
    .post(`/api/agents/${agent.id}/keys`)
    .send({ name: 'laptop', ...fields });
  expect(response.status).toBe(201);
  return response.body as CreatedApiKey;
};

/** The body with which the auth service creates a connection for an agent. */
export const consentOf = (home: TestCompany, fields: Record<string, unknown> = {}) => ({
  operatorId: home.owner.operatorId,
  companyId: home.id,
  scopes: ['notes:read', 'notes:write'],
  expiresAt: null,
  client: { id: 'client-1', name: 'Claude', host: 'claude.ai' },
  ...fields,
});

/** A connection of an agent with one access token, by the consent of the owner. */
export const createConnection = async (
  home: TestCompany,
  agent: Agent,
  fields: Record<string, unknown> = {},
): Promise<{ readonly id: string; readonly token: string }> => {
  const auth = as(home.world.app, serviceCaller('auth'));
  const created = await auth
    .post('/internal/connections/create')
    .send(consentOf(home, { agent: { agentId: agent.id }, ...fields }));
  expect([created.status, created.body]).toEqual([201, expect.anything()]);
  const { connectionId: id } = created.body as { connectionId: string };
  const token = makeConnectionToken();
  const expiresAt = new Date(home.world.clock.now.getTime() + 3_600_000).toISOString();
  const issued = await auth
    .post('/internal/connections/issue-token')
    .send({ connectionId: id, token, expiresAt });
  expect(issued.status).toBe(200);
  return { id, token };
};

export type Started = {
  readonly run: Run;
  readonly token: string;
  readonly expiresAt: string;
  readonly env: Record<string, string>;
};

/** Starts a run of an agent as the owner. */
export const startRun = async (
  home: TestCompany,
  agent: Agent,
  fields: Record<string, unknown> = {},
): Promise<Started> => {
  const response = await as(home.world.app, home.owner)
    .post(`/api/agents/${agent.id}/runs`)
    .send(fields);
  expect(response.status).toBe(201);
  return response.body as Started;
};

/** An agent as the gateway identifies it: by key unless `overrides` name a run. */
export const callerOf = (agent: Agent, overrides: Partial<AgentCaller> = {}): AgentCaller =>
  agentCaller({
    agentId: agent.id,
    agentName: agent.name,
    companyId: agent.companyId,
    ...overrides,
  });

/** An agent with an existing key, which every change requires. */
export const agentWithKey = async (home: TestCompany, agent: Agent): Promise<AgentCaller> =>
  callerOf(agent, { keyId: (await createKey(home, agent)).id });

/** One field of the items of a list response. */
export const namesOf = (body: { items: Record<string, unknown>[] }, field = 'name'): unknown[] =>
  body.items.map((item) => item[field]);
