import { agentRoutes } from './agent-routes.ts';
import { companyRoute } from './company-route.ts';
import { companyRoutes } from './company-routes.ts';
import { consentRoute } from './consent-route.ts';
import { instanceRoutes } from './instance-routes.ts';
import { noteRoutes } from './note-routes.ts';
import { publicRoutes } from './public-routes.ts';
import { rootRoute } from './root-route.tsx';
import { signedInRoute } from './signed-in-route.ts';

/** Every page of the console. */
export const routeTree = rootRoute.addChildren([
  ...publicRoutes,
  consentRoute,
  signedInRoute.addChildren([
    ...instanceRoutes,
    companyRoute.addChildren([...agentRoutes, ...noteRoutes, ...companyRoutes]),
  ]),
]);
