import type { Agent, Company, CompanyId, CreatedApiKey, Role, Run } from '@commonplace/contracts';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import { agentCaller, as, grant, operatorCaller } from '@commonplace/testkit';
import { expect } from '@jest/globals';
import type { World } from './agents-world.ts';

/** A company with its owner, as the gateway would introduce it. */
export type Home = {
  readonly world: World;
  readonly id: CompanyId;
  readonly company: Company;
  readonly owner: OperatorCaller;
};

/** An administrator founds a company. */
export const found = async (world: World, name = 'Acme'): Promise<Home> => {
  const founder = operatorCaller({ isAdmin: true });
  const response = await as(world.app, founder).post('/api/companies').send({ name });
  expect(response.status).toBe(201);
  const company = response.body as Company;
  return { world, id: company.id, company, owner: { ...founder, companies: [grant(company.id)] } };
};

/** Somebody becomes a member, past the invite. */
export const join = async (home: Home, role: Role): Promise<OperatorCaller> => {
  const caller = operatorCaller({ companies: [grant(home.id, role)] });
  await home.world.sql(
    `insert into agents.memberships (company_id, operator_id, email, name, role, since)
     values ($1, $2, $3, $4, $5, now())`,
    [home.id, caller.operatorId, caller.email, caller.name, role],
  );
  return caller;
};

/** The owner makes an agent. */
export const hire = async (home: Home, fields: Record<string, unknown> = {}): Promise<Agent> => {
  const response = await as(home.world.app, home.owner)
    .post(`/api/companies/${home.id}/agents`)
    .send({ name: 'Ada', role: 'engineer', ...fields });
  expect(response.status).toBe(201);
  return response.body as Agent;
};

/** The owner makes a key for an agent. */
export const giveKey = async (
  home: Home,
  agent: Agent,
  fields: Record<string, unknown> = {},
): Promise<CreatedApiKey> => {
  const response = await as(home.world.app, home.owner)
    .post(`/api/agents/${agent.id}/keys`)
    .send({ name: 'laptop', ...fields });
  expect(response.status).toBe(201);
  return response.body as CreatedApiKey;
};

export type Started = {
  readonly run: Run;
  readonly token: string;
  readonly expiresAt: string;
  readonly env: Record<string, string>;
};

/** The owner starts a run of an agent. */
export const start = async (
  home: Home,
  agent: Agent,
  fields: Record<string, unknown> = {},
): Promise<Started> => {
  const response = await as(home.world.app, home.owner)
    .post(`/api/agents/${agent.id}/runs`)
    .send(fields);
  expect(response.status).toBe(201);
  return response.body as Started;
};

/** An agent as the gateway introduces it: by key unless `overrides` name a run. */
export const callerOf = (agent: Agent, overrides: Partial<AgentCaller> = {}): AgentCaller =>
  agentCaller({
    agentId: agent.id,
    agentName: agent.name,
    companyId: agent.companyId,
    ...overrides,
  });

/** An agent with a key that it really has, which every change asks for. */
export const byKey = async (home: Home, agent: Agent): Promise<AgentCaller> =>
  callerOf(agent, { keyId: (await giveKey(home, agent)).id });

/** What a list answered, shortened to one field of its items. */
export const namesOf = (body: { items: Record<string, unknown>[] }, field = 'name'): unknown[] =>
  body.items.map((item) => item[field]);
