import type { RouteContract } from '../route-contract.ts';

/** Every public route of the auth service. */
export const authRoutes: readonly RouteContract[] = [];
