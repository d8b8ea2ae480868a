import type { RouteContract } from '../route-contract.ts';

/** Every public route of the notes service. */
export const notesRoutes: readonly RouteContract[] = [];
