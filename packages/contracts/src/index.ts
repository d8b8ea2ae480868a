import type { RouteContract } from './route-contract.ts';
import { agentsRoutes } from './agents/index.ts';
import { authRoutes } from './auth/index.ts';
import { notesRoutes } from './notes/index.ts';

export * from './core.ts';
export * from './agents/index.ts';
export * from './auth/index.ts';
export * from './internal/index.ts';
export * from './notes/index.ts';

/** Every route of the public API. The gateway forwards these and nothing else. */
export const publicRoutes: readonly RouteContract[] = [
  ...authRoutes,
  ...agentsRoutes,
  ...notesRoutes,
];
