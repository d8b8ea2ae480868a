import type { Api } from '../call-api.ts';
import { field, type Fields, type Stepper } from './step.ts';

/**
 * The id of a company of this name that the operator owns, of an earlier run or the README's walk: companies cannot be
 * deleted, so each run would leave more of them. Null if there is none.
 */
const findCompany = async (step: Stepper, api: Api, name: string): Promise<string | null> => {
  const session = await api('GET', '/api/auth/session');
  const { memberships } = session.body as { memberships: Fields[] };
  const owned = memberships.filter(({ role }) => role === 'owner');
  const request = { api, method: 'GET', path: '/api/companies' };
  const listed = (await step(`look for the company ${name}`, 200, request)).body;
  const found = (listed as { items: Fields[] }).items.find(
    (each) =>
      each['name'] === name &&
      each['status'] === 'active' &&
      owned.some(({ companyId }) => companyId === each['id']),
  );
  return found === undefined ? null : field(found, 'id');
};

const createCompany = async (step: Stepper, api: Api, name: string): Promise<string> => {
  const request = { api, method: 'POST', path: '/api/companies', body: { name } };
  return field((await step(`create the company ${name}`, 201, request)).body, 'id');
};

/** A company with one agent and its key. */
export const setUpCompany = async (step: Stepper, operator: Api, name: string) => {
  const companyId =
    (await findCompany(step, operator, name)) ?? (await createCompany(step, operator, name));
  const agent = await step('create an agent', 201, {
    api: operator,
    method: 'POST',
    path: `/api/companies/${companyId}/agents`,
    body: { name: 'Ada', role: 'researcher', budget: { monthlyCents: 10_000 } },
  });
  const agentId = field(agent.body, 'id');
  const key = await step('create its API key, shown this once', 201, {
    api: operator,
    method: 'POST',
    path: `/api/agents/${agentId}/keys`,
    body: { name: 'demo' },
  });
  return { companyId, agentId, key: field(key.body, 'key') };
};
