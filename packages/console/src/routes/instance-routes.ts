import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { companiesQuery } from '../api/company-queries.ts';
import { signInOptionsQuery } from '../api/sign-in-options-query.ts';
import { lastCompany } from '../app/last-company.ts';
import { textParam } from './search-params.ts';
import { signedInRoute } from './signed-in-route.ts';

/** The home page redirects to the company opened last, else to the first one by name. */
const startRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/',
  beforeLoad: async ({ context }) => {
    const companies = await context.queryClient.ensureQueryData(companiesQuery);
    const company = lastCompany.in(companies);
    if (company) {
      redirect({
        to: '/companies/$companyId',
        params: { companyId: company.id },
        throw: true,
      });
    }
  },
  component: lazyRouteComponent(() => import('../pages/no-companies-page.tsx'), 'NoCompaniesPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  validateSearch: (search): { error?: string } => textParam('error', search),
  loader: ({ context }) => context.queryClient.ensureQueryData(signInOptionsQuery),
  component: lazyRouteComponent(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
});

const operatorsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operators',
  component: lazyRouteComponent(() => import('../pages/operators-page.tsx'), 'OperatorsPage'),
});

const newCompanyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/companies/new',
  component: lazyRouteComponent(() => import('../pages/new-company-page.tsx'), 'NewCompanyPage'),
});

/** The pages outside any company. */
export const instanceRoutes = [startRoute, accountRoute, operatorsRoute, newCompanyRoute] as const;
