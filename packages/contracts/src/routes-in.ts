import type { RouteContract } from './route-contract.ts';

type Module = Readonly<Record<string, unknown>>;

/** The contracts that modules export, by path. A new route is a new export. */
export const routesIn = (...modules: readonly Module[]): readonly RouteContract[] =>
  modules
    .flatMap((module) => Object.values(module).filter(isContract))
    .toSorted((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));

const isContract = (value: unknown): value is RouteContract =>
  typeof value === 'object' && value !== null && 'operationId' in value && 'access' in value;
