import type { RouteContract } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import { readCredentials } from './authenticate.ts';
import type { Authentication } from './authenticators/authenticator.ts';
import { assertSameSite } from '../validate/csrf.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { GatewayContext } from '../create-gateway.ts';
import type { CompanySelection } from '../tenancy/select-company.ts';

/** Who sends a request. Both are null on public routes. */
export type AuthorizedCaller =
  | { readonly authentication: Authentication; readonly caller: Caller }
  | AnonymousCaller;
type AnonymousCaller = { readonly authentication: null; readonly caller: null };

export type Authorizer = {
  /** Checks credential (401), site (403), rate (429) and company (403), in this order. */
  readonly authorize: () => Promise<AuthorizedCaller>;
  /** Checks credential and company again, by results no older than `maxAgeMs`. Counts for no rate limit. */
  readonly reauthorize: (maxAgeMs?: number) => Promise<AuthorizedCaller>;
};

type AuthorizationInput = {
  readonly gateway: GatewayContext;
  readonly context: RequestContext;
  readonly contract: RouteContract;
  readonly params: Readonly<Record<string, string>>;
};

const anonymousCaller: AnonymousCaller = { authentication: null, caller: null };

/** Creates the authorizer of a request. It reads the headers now, because forwarding replaces them. */
export const createAuthorizer = ({
  gateway,
  context,
  contract,
  params,
}: AuthorizationInput): Authorizer => {
  const { req, res, logFields, address } = context;
  const isPublic = contract.access.kind === 'public';
  const presented = readCredentials(req, { address, isStream: contract.deadlineMs === null });
  const choice: CompanySelection = { contract, params, header: req.headers['x-company-id'] };
  const selectCompany = async (
    authentication: Authentication,
    maxAgeMs?: number,
  ): Promise<AuthorizedCaller> => {
    const caller = await gateway.selectCompany(authentication.principal, { ...choice, maxAgeMs });
    logFields.caller = caller;
    return { authentication, caller };
  };

  return {
    authorize: async () => {
      const authentication = isPublic ? null : await gateway.authenticate(presented);
      if (authentication) {
        logFields.caller = authentication.principal;
      }
      assertSameSite({
        req,
        method: authentication?.method ?? null,
        mode: gateway.deps.config.DEPLOYMENT_MODE,
        publicOrigins: () => gateway.publicOrigins(gateway.publicPortOf(req)),
        corsOrigins: gateway.deps.config.CORS_ORIGINS,
      });
      if (!authentication) {
        return anonymousCaller;
      }
      gateway.limitRate(authentication.credentialId, res);
      return selectCompany(authentication);
    },
    reauthorize: async (maxAgeMs) =>
      isPublic
        ? anonymousCaller
        : selectCompany(await gateway.authenticate({ ...presented, maxAgeMs }), maxAgeMs),
  };
};
