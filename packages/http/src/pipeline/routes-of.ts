import type { Route } from './route-types.ts';

/** What a file of routes exports: each export whose name ends in `Route` makes one. */
type RouteModule<Deps> = { readonly [Name in `${string}Route`]: (deps: Deps) => Route };

/** The routes of a service: all that these modules export. A new route is a new export. */
export const routesOf = <Deps>(
  deps: Deps,
  ...modules: readonly RouteModule<Deps>[]
): readonly Route[] =>
  modules.flatMap((module) =>
    Object.entries(module)
      .filter(([name]) => name.endsWith('Route'))
      .map(([, make]) => make(deps)),
  );
