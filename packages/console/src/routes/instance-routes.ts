import { createRoute, redirect } from '@tanstack/react-router';
import { lazyPage } from '../app/lazy-page.tsx';
import { NotFoundPage } from '../app/shell/not-found-page.tsx';
import { companiesQuery } from '../api/company-queries.ts';
import { signInOptionsQuery } from '../api/sign-in-options-query.ts';
import { lastCompany } from '../api/last-company.ts';
import type { InstanceActivityFilter } from '../api/instance-activity-queries.ts';
import type { SignInFilter } from '../api/sign-in-queries.ts';
import { methods, outcomes } from '../pages/sign-ins/describe-sign-in.ts';
import {
  instanceActions,
  type InstanceAction,
} from '../pages/instance/describe-instance-action.ts';
import { dayParam, enumParam, textParam } from './search-params.ts';
import { signedInRoute } from './signed-in-route.ts';

/** The home page redirects to the company opened last, else to the first active one by name. */
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
  component: lazyPage(() => import('../pages/companies/no-companies-page.tsx'), 'NoCompaniesPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/account',
  validateSearch: (search): { error?: string } => textParam('error', search),
  loader: ({ context }) => context.queryClient.ensureQueryData(signInOptionsQuery),
  component: lazyPage(() => import('../pages/account/account-page.tsx'), 'AccountPage'),
});

const operatorsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/operators',
  validateSearch: (search): { q?: string } => textParam('q', search),
  component: lazyPage(() => import('../pages/operators/operators-page.tsx'), 'OperatorsPage'),
});

const signInsRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/sign-ins',
  validateSearch: (search): SignInFilter => ({
    ...enumParam('outcome', outcomes, search),
    ...enumParam('method', methods, search),
    ...textParam('email', search),
    ...dayParam('from', search),
    ...dayParam('to', search),
  }),
  component: lazyPage(() => import('../pages/sign-ins/sign-ins-page.tsx'), 'SignInsPage'),
});

const instanceRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/instance',
  component: lazyPage(() => import('../pages/instance/instance-page.tsx'), 'InstancePage'),
});

const instanceActivityRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/instance/activity',
  validateSearch: (search): InstanceActivityFilter => ({
    ...enumParam('action', Object.keys(instanceActions) as InstanceAction[], search),
    ...textParam('operatorId', search),
  }),
  component: lazyPage(
    () => import('../pages/instance/instance-activity-page.tsx'),
    'InstanceActivityPage',
  ),
});

const newCompanyRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '/companies/new',
  component: lazyPage(() => import('../pages/companies/new-company-page.tsx'), 'NewCompanyPage'),
});

/** Any other address: within the layout, which has the ways on. */
const unknownRoute = createRoute({
  getParentRoute: () => signedInRoute,
  path: '$',
  component: NotFoundPage,
});

/** The pages outside any company. */
export const instanceRoutes = [
  startRoute,
  accountRoute,
  operatorsRoute,
  signInsRoute,
  instanceRoute,
  instanceActivityRoute,
  newCompanyRoute,
  unknownRoute,
] as const;
