import {
  backchannelLogoutContract,
  finishOidcSignInContract,
  getSignInOptionsContract,
  returnPath,
  startInviteSignInContract,
  startOidcSignInContract,
} from '@commonplace/contracts/auth';
import { AppError, isAppError } from '@commonplace/contracts/core';
import { defineRoute, reply } from '@commonplace/http';
import { assertEnrolled } from '../commands/assert-enrolled.ts';
import { consumeOidcAttempt, refundOidcAttempt } from '../commands/consume-oidc-attempt.ts';
import { endProviderSessions } from '../commands/end-provider-sessions.ts';
import { findInvite } from '../commands/find-invite.ts';
import { linkIdentity } from '../commands/link-identity.ts';
import { signInWithIdentity } from '../commands/sign-in-with-identity.ts';
import type { Deps, RawExchange } from '../deps.ts';
import type { Attempt, FormerSession } from '../oidc/attempts.ts';
import type { ProvenIdentity } from '../oidc/read-claims.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { createIsSetUp } from '../commands/is-set-up.ts';
import { freshSignInSeconds } from '../policy/identity-limits.ts';
import { clientOf } from '../sessions/client-of.ts';
import { assertOidc } from './assert-oidc.ts';
import { queryOf } from './query-of.ts';

type OidcDeps = Omit<Deps, 'runTokenKeys'>;

/** `GET /api/auth/sign-in-options` */
export const getSignInOptionsRoute = ({
  oidc,
  isLocalLogin,
  deploymentMode,
  db,
  passkeySite,
}: Pick<Deps, 'oidc' | 'isLocalLogin' | 'deploymentMode' | 'db' | 'passkeySite'>) => {
  const hasAccounts = deploymentMode === 'authenticated';
  const isSetUp = createIsSetUp({ db });
  return defineRoute(getSignInOptionsContract, async () =>
    reply(200, {
      localLogin: hasAccounts && isLocalLogin,
      oidc: hasAccounts && oidc ? { name: oidc.name } : null,
      // The local board operator needs no account.
      isSetUp: !hasAccounts || (await isSetUp()),
      passkeyOrigin: hasAccounts ? (passkeySite?.origin ?? null) : null,
    }),
  );
};

/** `GET /api/auth/oidc/start` */
export const startOidcSignInRoute = (
  deps: Pick<Deps, 'oidc' | 'sessions' | 'deploymentMode' | 'log'>,
) =>
  defineRoute(startOidcSignInContract, async ({ query, raw, accepts }) => {
    try {
      assertAccountsEnabled(deps.deploymentMode);
      const { attempts, provider } = assertOidc(deps);
      const attempt = await attempts.begin(raw, {
        returnTo: pathOf(query.returnTo),
        isFresh: query.reauthenticate === true,
        purpose: { kind: 'sign_in' },
        former: await formerSession(deps, raw),
      });
      const Location = await provider.authorizationUrl(attempt);
      return { status: 302, headers: { Location } } as const;
    } catch (error) {
      return refuse(deps, error, { page: '/login', isBrowser: isBrowser(accepts) });
    }
  });

/** `POST /api/auth/invites/oidc` */
export const startInviteSignInRoute = (
  deps: Pick<Deps, 'db' | 'clock' | 'oidc' | 'sessions' | 'deploymentMode' | 'callAgents'>,
) =>
  defineRoute(startInviteSignInContract, async ({ body, raw, requestId }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const { attempts, provider } = assertOidc(deps);
    const { token } = body;
    const { tokenDigest } = await findInvite(deps, { token, client: clientOf(raw.req), requestId });
    const attempt = await attempts.begin(raw, {
      returnTo: '/',
      isFresh: false,
      purpose: { kind: 'invite', tokenDigest },
      former: await formerSession(deps, raw),
    });
    return reply(200, { url: await provider.authorizationUrl(attempt) });
  });

/** `GET /api/auth/oidc/callback` */
export const finishOidcSignInRoute = (deps: OidcDeps) =>
  defineRoute(finishOidcSignInContract, async ({ query, raw, requestId, accepts }) => {
    let page = '/login';
    try {
      assertAccountsEnabled(deps.deploymentMode);
      const { attempts, provider } = assertOidc(deps);
      if (query.state === undefined) {
        throw new AppError('oidc_attempt_invalid');
      }
      const attempt = await attempts.take(raw, query.state);
      page = attempt.purpose.kind === 'link' ? '/account' : page;
      const bucket = await consumeOidcAttempt(deps, attempt, clientOf(raw.req));
      // As the provider sent it; repeated parameters are its own matter.
      const proven = await provider.redeem(queryOf(raw), attempt);
      assertFresh(attempt, proven, deps.clock());
      await finish(deps, attempt, { proven, raw, requestId });
      await refundOidcAttempt(deps, bucket);
      return { status: 303, headers: { Location: attempt.returnTo } } as const;
    } catch (error) {
      return refuse(deps, error, { page, isBrowser: isBrowser(accepts) });
    }
  });

/** `POST /api/auth/oidc/backchannel-logout` */
export const backchannelLogoutRoute = (
  deps: Pick<Deps, 'db' | 'clock' | 'oidc' | 'deploymentMode' | 'log'>,
) =>
  defineRoute(backchannelLogoutContract, async ({ body }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const token = await assertOidc(deps).provider.verifyLogoutToken(body.logout_token);
    const ended = await endProviderSessions(deps, token);
    deps.log.info({ ended }, 'the identity provider ended sessions');
    return reply(200);
  });

type Finish = {
  readonly proven: ProvenIdentity;
  readonly raw: RawExchange;
  readonly requestId: string;
};

const finish = async (
  deps: OidcDeps,
  attempt: Attempt,
  { proven, raw, requestId }: Finish,
): Promise<void> => {
  const { purpose } = attempt;
  if (purpose.kind === 'link') {
    // The session may have to set up a factor since it began this.
    await assertEnrolled(deps, purpose);
    await linkIdentity(deps, purpose, proven);
    return;
  }
  const { allowedDomains } = assertOidc(deps);
  const client = clientOf(raw.req);
  const input = { proven, purpose, attempt, allowedDomains, client, raw, requestId };
  await signInWithIdentity(deps, input);
};

const pathOf = (returnTo: string | undefined): string => {
  const parsed = returnPath.safeParse(returnTo ?? '/');
  if (!parsed.success) {
    throw new AppError('validation_failed', 'The query is not valid.', {
      errors: [{ path: '/returnTo', message: 'must be a path of this site' }],
    });
  }
  return parsed.data;
};

/** The session that a sign-in replaces. */
const formerSession = async (
  { sessions }: Pick<Deps, 'sessions'>,
  raw: RawExchange,
): Promise<FormerSession | undefined> => {
  const signedIn = await sessions.find(raw);
  return signedIn ? { operatorId: signedIn.operatorId, sessionId: signedIn.sessionId } : undefined;
};

/** A provider that ignores `prompt=login` and says so gives no recent sign-in. */
const assertFresh = (
  { isFresh }: Attempt,
  { authenticatedAt }: ProvenIdentity,
  now: Date,
): void => {
  const isOld =
    authenticatedAt !== null &&
    now.getTime() - authenticatedAt.getTime() > freshSignInSeconds * 1000;
  if (isFresh && isOld) {
    throw new AppError('oidc_refused', 'The identity provider did not require a new sign-in.');
  }
};

const isBrowser = (accepts: (...types: string[]) => string | false): boolean =>
  accepts('application/json', 'text/html') === 'text/html';

type Refusal = { readonly page: string; readonly isBrowser: boolean };

/** People get a page of the console that explains the code; programs get the problem. */
const refuse = (
  { log }: Pick<Deps, 'log'>,
  error: unknown,
  { page, isBrowser: isForPage }: Refusal,
) => {
  if (!isForPage || !isAppError(error)) {
    throw error;
  }
  const fields = { err: error.cause, reason: error.code };
  if (error.status >= 500) {
    log.warn(fields, 'a sign-in through the provider failed');
  } else {
    log.info(fields, 'a sign-in through the provider was refused');
  }
  return { status: 303, headers: { Location: `${page}?error=${error.code}` } } as const;
};
