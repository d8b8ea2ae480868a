import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { UnknownAddress } from '../app/not-found-page.tsx';

/** What every route may use. */
export type RouterContext = { readonly queryClient: QueryClient };

/** The root: a page is either public, or inside the frame of the signed-in. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  notFoundComponent: UnknownAddress,
});
