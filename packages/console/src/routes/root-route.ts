import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { UnknownAddress } from '../app/not-found-page.tsx';

/** The context of every route. */
export type RouterContext = { readonly queryClient: QueryClient };

/** The root of all routes. A page is either public or inside the layout for signed-in operators. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: UnknownAddress,
});
