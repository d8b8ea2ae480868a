import {
  getAgentContract,
  getMeContract,
  getOrgChartContract,
  getRunContract,
  reportUsageContract,
} from '@commonplace/contracts/agents';
import { assertConnected, type CompanyScope, type Route } from '@commonplace/http';
import type { AgentCaller, OperatorCaller } from '@commonplace/identity';
import type { Deps } from './deps.ts';

/**
 * Lookups by key, the org chart, whose concurrent requests share one read that has a slot, and reports of usage, which
 * have a queue of their own.
 */
const unlimited = new Set([
  getAgentContract.operationId,
  getMeContract.operationId,
  getRunContract.operationId,
  getOrgChartContract.operationId,
  reportUsageContract.operationId,
]);

/**
 * Gives the routes of companies slots of their company: lists and changes that flood one company wait in its own
 * queues, and one caller's flood of changes waits for itself. Lookups need no slot. A caller who waited is checked again.
 */
export const limitRoutes = (
  routes: readonly Route[],
  { limitLists, limitChanges }: Pick<Deps, 'limitLists' | 'limitChanges'>,
): readonly Route[] =>
  routes.map((route) => {
    const { contract, handle } = route;
    if (contract.access.kind !== 'company' || unlimited.has(contract.operationId)) {
      return route;
    }
    return {
      contract,
      handle: (request) => {
        // A route of a company has both; the general type of a request does not say so.
        const { id } = request.company as unknown as CompanyScope;
        const caller = request.caller as unknown as AgentCaller | OperatorCaller;
        const run = async () => {
          assertConnected(request.raw.res);
          await request.work.recheck();
          return handle(request);
        };
        return contract.method === 'get'
          ? limitLists(id, run)
          : limitChanges({ group: id, owner: ownerOf(caller) }, run);
      },
    };
  });

/** All keys, runs and connections of an agent wait as one. */
const ownerOf = (caller: AgentCaller | OperatorCaller): string =>
  caller.kind === 'agent' ? caller.agentId : caller.operatorId;
