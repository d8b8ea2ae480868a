import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { agentsRoutes, type Access } from '@commonplace/contracts';
import { routes } from '../src/routes/index.ts';
import { createWorld, type World } from './support/agents-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const scopeOf = ({ scope }: { readonly scope?: string }): string => (scope ? ` with ${scope}` : '');

const whoMay = (access: Access): string => {
  switch (access.kind) {
    case 'company':
      return `agents ${access.agents}${scopeOf(access)}, operators ${access.operators}, by ${access.company}`;
    case 'service':
      return `service ${access.callers.join(' ')}`;
    case 'caller':
      return access.agents ? `anybody${scopeOf(access)}` : 'any operator';
    case 'administrator':
    case 'public':
      return access.kind;
  }
};

/** One line per route, so that every review sees who may call it. */
const inventory = () =>
  routes(world.deps).map(
    ({ contract: { method, path, access } }) => `${method} ${path}: ${whoMay(access)}`,
  );

describe('the routes of the agents service', () => {
  it('are exactly these, with this access', () => {
    expect(inventory().toSorted()).toEqual([
      'delete /api/agents/{agentId}/keys/{keyId}: agents never, operators operator, by entity',
      'delete /api/companies/{companyId}/invites/{inviteId}: agents never, operators owner, by path',
      'delete /api/companies/{companyId}/members/{operatorId}: agents never, operators viewer, by path',
      'delete /api/connections/{connectionId}: agents never, operators viewer, by entity',
      'get /api/agents/directory: agents own_company with agents:read, operators viewer, by selected',
      'get /api/agents/me: agents own_company with any, operators never, by selected',
      'get /api/agents/{agentId}/keys: agents never, operators viewer, by entity',
      'get /api/agents/{agentId}/runs: agents own_company with agents:read, operators viewer, by entity',
      'get /api/agents/{agentId}: agents own_company with agents:read, operators viewer, by entity',
      'get /api/companies/{companyId}/activity: agents never, operators viewer, by path',
      'get /api/companies/{companyId}/agents: agents own_company with agents:read, operators viewer, by path',
      'get /api/companies/{companyId}/connections: agents never, operators viewer, by path',
      'get /api/companies/{companyId}/invites: agents never, operators owner, by path',
      'get /api/companies/{companyId}/keys: agents never, operators viewer, by path',
      'get /api/companies/{companyId}/members: agents never, operators viewer, by path',
      'get /api/companies/{companyId}/org-chart: agents own_company with agents:read, operators viewer, by path',
      'get /api/companies/{companyId}/runs: agents own_company with agents:read, operators viewer, by path',
      'get /api/companies/{companyId}/usage: agents own_company with agents:read, operators viewer, by path',
      'get /api/companies/{companyId}: agents own_company with agents:read, operators viewer, by path',
      'get /api/companies: anybody with agents:read',
      'get /api/connections/{connectionId}: agents never, operators viewer, by entity',
      'get /api/runs/{runId}/usage: agents own_company with agents:read, operators viewer, by entity',
      'get /api/runs/{runId}: agents own_company with agents:read, operators viewer, by entity',
      'patch /api/agents/{agentId}: agents never, operators operator, by entity',
      'patch /api/companies/{companyId}/members/{operatorId}: agents never, operators owner, by path',
      'patch /api/companies/{companyId}: agents never, operators owner, by path',
      'post /api/agents/{agentId}/keys/{keyId}/rotate: agents never, operators operator, by entity',
      'post /api/agents/{agentId}/keys: agents never, operators operator, by entity',
      'post /api/agents/{agentId}/pause: agents never, operators operator, by entity',
      'post /api/agents/{agentId}/resume: agents never, operators operator, by entity',
      'post /api/agents/{agentId}/runs: agents itself_by_key with runs:write, operators operator, by entity',
      'post /api/agents/{agentId}/terminate: agents never, operators operator, by entity',
      'post /api/companies/{companyId}/agents: agents never, operators operator, by path',
      'post /api/companies/{companyId}/invites: agents never, operators owner, by path',
      'post /api/companies: administrator',
      'post /api/runs/{runId}/cancel: agents never, operators operator, by entity',
      'post /api/runs/{runId}/finish: agents itself_by_key_or_run with runs:write, operators operator, by entity',
      'post /api/runs/{runId}/renew: agents itself_by_key_or_run with runs:write, operators operator, by entity',
      'post /api/runs/{runId}/usage: agents itself_by_key_or_run with runs:write, operators never, by entity',
      'post /internal/agents/check: service notes',
      'post /internal/agents/list: service notes',
      'post /internal/authors/describe: service notes',
      'post /internal/companies/proposal-deciders: service notes',
      'post /internal/connections/create: service auth',
      'post /internal/connections/end-tokens: service auth',
      'post /internal/connections/end: service auth',
      'post /internal/connections/issue-token: service auth',
      'post /internal/connections/verify: service gateway',
      'post /internal/describe: service auth',
      'post /internal/invites/find: service auth',
      'post /internal/invites/redeem: service auth',
      'post /internal/keys/verify: service gateway',
      'post /internal/memberships/adopt-local: service auth',
      'post /internal/memberships/list: service gateway auth notes',
      'post /internal/operators/check-caller: service notes',
      'post /internal/runs/verify: service gateway',
      'post /internal/search-settings/record: service notes',
      'post /internal/sources/stop: service notes',
    ]);
  });

  it('implement every public contract of this service', () => {
    const served = new Set(routes(world.deps).map(({ contract }) => contract.operationId));
    expect(agentsRoutes.filter(({ operationId }) => !served.has(operationId))).toEqual([]);
  });

  it('are listed among the contracts, unless they are internal: others know no more than the list', () => {
    const listed = new Set(agentsRoutes.map(({ operationId }) => operationId));
    const unlisted = routes(world.deps).flatMap(({ contract: { operationId, access } }) =>
      access.kind === 'service' || listed.has(operationId) ? [] : [operationId],
    );
    expect(unlisted).toEqual([]);
  });
});
