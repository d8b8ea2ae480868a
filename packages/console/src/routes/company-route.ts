import { createRoute } from '@tanstack/react-router';
import { companyQuery, memberRoleQuery } from '../api/company-queries.ts';
import { sessionQuery } from '../api/session-queries.ts';
import { CompanyError, CompanyLayout } from '../app/shell/company-layout.tsx';
import { lastCompany } from '../api/last-company.ts';
import { listedRoleIn } from '../app/session/use-can.ts';
import { signedInRoute } from './signed-in-route.ts';

/** The parent of all pages of one company. */
export const companyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/companies/$companyId',
  loader: async ({ context, params: { companyId } }) => {
    const { queryClient } = context;
    const session = await queryClient.ensureQueryData(sessionQuery);
    await Promise.all([
      queryClient.ensureQueryData(companyQuery(companyId)),
      // Permissions have to be known before the page renders.
      listedRoleIn(session, companyId) === undefined &&
        queryClient.ensureQueryData(memberRoleQuery(companyId, session.operator.id)),
    ]);
    lastCompany.write(companyId);
  },
  component: CompanyLayout,
  errorComponent: CompanyError,
});
