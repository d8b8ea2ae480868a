import { AppError, isAppError, type RouteContract } from '@commonplace/contracts';
import type { Caller } from '@commonplace/identity';
import { readCredentials, type Authenticate } from '../auth/authenticate.ts';
import type { Authentication } from '../auth/authenticators/authenticator.ts';
import type { OAuthResource, OAuthResourceOf } from '../auth/oauth-resources.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import type { CompanySelection, SelectCompany } from '../tenancy/select-company.ts';
import type { AssertSameSite } from '../validate/csrf.ts';

/** Who sends a request. Both are null on public routes. */
export type AuthorizedCaller =
  | { readonly authentication: Authentication; readonly caller: Caller }
  | AnonymousCaller;
type AnonymousCaller = { readonly authentication: null; readonly caller: null };

export type Authorizer = {
  /** Checks credential (401), site (403), rate (429) and company (403), in this order. */
  readonly authorize: () => Promise<AuthorizedCaller>;
  /**
   * Checks credential and company again, by results no older than `maxAgeMs`. Counts for no rate limit, nor for that of
   * unverified lookups, even if the credential was invalidated: a flood from its address must not decide.
   */
  readonly reauthorize: (maxAgeMs?: number) => Promise<AuthorizedCaller>;
};

export type AuthorizationDeps = {
  readonly authenticate: Authenticate;
  readonly assertSameSite: AssertSameSite;
  readonly limitRate: RateLimit;
  readonly selectCompany: SelectCompany;
  readonly oauthResourceOf: OAuthResourceOf;
};

type AuthorizationInput = {
  readonly context: RequestContext;
  readonly contract: RouteContract;
  readonly params: Readonly<Record<string, string>>;
};

/** An instance may require a second factor: without one, an operator may only set one up. */
const assertEnrolled = ({ mustEnrol }: Authentication, contract: RouteContract): void => {
  if (mustEnrol === true && contract.duringEnrolment !== true) {
    throw new AppError('second_factor_enrolment_required');
  }
};

/** Adds to a 401 of an OAuth resource where its server is. */
const challenging = async (
  resource: OAuthResource | null,
  authenticate: () => Promise<Authentication>,
): Promise<Authentication> => {
  try {
    return await authenticate();
  } catch (error) {
    if (!resource || !isAppError(error) || error.status !== 401) {
      throw error;
    }
    const challenge = resource.challenge(error.code === 'invalid_token');
    const headers = { ...error.headers, 'WWW-Authenticate': challenge };
    throw new AppError(error.code, error.message, { cause: error, headers });
  }
};

const anonymousCaller: AnonymousCaller = { authentication: null, caller: null };

/** Creates the authorizer of a request. It reads the headers now, because forwarding replaces them. */
export const createAuthorizer = (
  { authenticate, assertSameSite, limitRate, selectCompany, oauthResourceOf }: AuthorizationDeps,
  { context, contract, params }: AuthorizationInput,
): Authorizer => {
  const { req, res, logFields, address } = context;
  const isPublic = contract.access.kind === 'public';
  const resource = oauthResourceOf(contract);
  const presented = readCredentials(req, {
    address,
    isStream: contract.deadlineMs === null,
    endedRunId: contract.acceptsEndedRun ? params['runId']?.toLowerCase() : undefined,
    resource,
  });
  const selection: CompanySelection = { contract, params, header: req.headers['x-company-id'] };
  const withCompany = async (
    authentication: Authentication,
    maxAgeMs?: number,
  ): Promise<AuthorizedCaller> => {
    assertEnrolled(authentication, contract);
    const caller = await selectCompany(authentication.principal, { ...selection, maxAgeMs });
    logFields.caller = caller;
    return { authentication, caller };
  };

  return {
    authorize: async () => {
      if (isPublic) {
        assertSameSite(req, null, contract.anyOrigin);
        return anonymousCaller;
      }
      const authentication = await challenging(resource, () => authenticate(presented));
      logFields.caller = authentication.principal;
      assertSameSite(req, authentication.method, contract.anyOrigin);
      limitRate(authentication.credentialId, res);
      return withCompany(authentication);
    },
    reauthorize: async (maxAgeMs) =>
      isPublic
        ? anonymousCaller
        : withCompany(
            await challenging(resource, () =>
              authenticate({ ...presented, address: null, maxAgeMs }),
            ),
            maxAgeMs,
          ),
  };
};
