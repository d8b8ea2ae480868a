import type { RouteContract } from '../route-contract.ts';

/** Every public route of the agents service. */
export const agentsRoutes: readonly RouteContract[] = [];
