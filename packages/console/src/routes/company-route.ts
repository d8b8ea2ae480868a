import { createRoute } from '@tanstack/react-router';
import { companyQuery } from '../api/company-queries.ts';
import { CompanyFrame } from '../app/company-frame.tsx';
import { lastCompany } from '../app/last-company.ts';
import { signedInRoute } from './signed-in-route.ts';

/** Around everything of one company. */
export const companyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/companies/$companyId',
  loader: async ({ context, params: { companyId } }) => {
    await context.queryClient.ensureQueryData(companyQuery(companyId));
    lastCompany.write(companyId);
  },
  component: CompanyFrame,
});
