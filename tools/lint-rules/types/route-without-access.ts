import { routeContract } from '../../../packages/contracts/src/route-contract.ts';

/*
 * A route that does not say who may call it must not compile. The type check reads this file: if
 * `access` ever became optional, the expectations below would find no error and be errors themselves.
 */

const route = {
  operationId: 'getThing',
  service: 'notes',
  method: 'get',
  path: '/api/things',
  tag: 'Things',
  summary: 'Read a thing',
  responses: { 204: { description: 'Nothing to say' } },
  errors: [],
} as const;

const forAgents = { kind: 'company', company: 'selected', agents: 'own_company' } as const;

/** The same routes with their access compile, so access or scope is all that the others lack. */
export const complete = [
  routeContract({ ...route, access: { kind: 'caller', agents: true, scope: 'any' } }),
  routeContract({ ...route, access: { ...forAgents, scope: 'notes:read', operators: 'viewer' } }),
];

// @ts-expect-error a route that agents may call declares a scope
export const withoutScope = routeContract({ ...route, access: { kind: 'caller', agents: true } });

export const inCompanyWithoutScope = routeContract({
  ...route,
  // @ts-expect-error a route of a company that agents may call declares a scope
  access: { ...forAgents, operators: 'viewer' },
});

// @ts-expect-error access is missing
export const withoutAccess = routeContract({ ...route });

// @ts-expect-error a public route says why it is public
export const publicForNoReason = routeContract({ ...route, access: { kind: 'public' } });
