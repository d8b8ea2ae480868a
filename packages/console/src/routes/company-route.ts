import { createRoute } from '@tanstack/react-router';
import { companyQuery, memberRoleQuery } from '../api/company-queries.ts';
import { sessionQuery } from '../api/session-queries.ts';
import { CompanyFrame } from '../app/company-frame.tsx';
import { lastCompany } from '../app/last-company.ts';
import { listedRoleIn } from '../app/use-can.ts';
import { signedInRoute } from './signed-in-route.ts';

/** Around everything of one company. */
export const companyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/companies/$companyId',
  loader: async ({ context, params: { companyId } }) => {
    const { queryClient } = context;
    const session = await queryClient.ensureQueryData(sessionQuery);
    await Promise.all([
      queryClient.ensureQueryData(companyQuery(companyId)),
      // What may be done is known before a page offers it.
      listedRoleIn(session, companyId) === undefined &&
        queryClient.ensureQueryData(memberRoleQuery(companyId, session.operator.id)),
    ]);
    lastCompany.write(companyId);
  },
  component: CompanyFrame,
});
