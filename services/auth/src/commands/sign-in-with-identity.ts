import { AppError, isAppError } from '@commonplace/contracts/core';
import { redeemInviteContract } from '@commonplace/contracts/internal';
import { write } from '@commonplace/db';
import type { Client, Deps, RawExchange } from '../deps.ts';
import type { Attempt } from '../oidc/attempts.ts';
import type { ProvenIdentity } from '../oidc/read-claims.ts';
import { hasSecondFactor } from '../policy/has-second-factor.ts';
import { isOfDomain } from '../policy/identity-limits.ts';
import { deleteOperator, type OperatorRow } from '../queries/operators.ts';
import { endSession } from './end-session.ts';
import { findAccountOfIdentity, type AccountSearch } from './find-account-of-identity.ts';
import { recordFailedSignIn, recordSignIn } from './record-sign-in.ts';

type SignInDeps = Pick<
  Deps,
  'db' | 'clock' | 'passwords' | 'sessions' | 'callAgents' | 'requiresSecondFactor' | 'requiredAmr'
>;

export type IdentitySignIn = AccountSearch & {
  readonly attempt: Pick<Attempt, 'isFresh' | 'begunAtMs' | 'former'>;
  readonly client: Client;
  readonly raw: RawExchange;
};

/**
 * Starts the session of the operator whom an identity is linked to. Without one, an account is
 * created for a verified email that is invited or of an allowed domain. The email alone never opens
 * an existing account.
 */
export const signInWithIdentity = async (
  deps: SignInDeps,
  input: IdentitySignIn,
): Promise<void> => {
  const { proven, client, raw, attempt } = input;
  const found = await findAccountOfIdentity(deps, input).catch(async (error: unknown) => {
    await recordRefusal(deps, { ...input, operator: null }, error);
    throw error;
  });
  const { operator, identity, isNew } = found;
  const { id: operatorId, email, sessionEpoch: epoch } = operator;
  const { amr, sid, idToken } = proven;
  const { begunAtMs } = attempt;
  await deps.sessions
    .begin(raw, {
      operatorId,
      epoch,
      method: 'oidc',
      amr,
      provider: { identityId: identity.id, sid, idToken, begunAtMs },
      ...provenAt(input),
    })
    .catch(async (error: unknown) => {
      await recordRefusal(deps, { ...input, operator }, error);
      throw error;
    });
  await endFormerSession(deps, attempt);
  await recordSignIn(deps, { operatorId, email, method: 'oidc', client });
  if (input.purpose.kind === 'invite') {
    if (!isNew) {
      assertMayAccept(deps, proven);
    }
    await redeem(deps, input, { operator, isNew, tokenDigest: input.purpose.tokenDigest });
  }
};

/**
 * When the person proved who they are: what the provider says. If it does not say, a new proof was
 * requested or the sign-in may rest on an old session there, which is not a recent sign-in.
 */
const provenAt = ({
  proven: { authenticatedAt },
  attempt: { isFresh },
}: IdentitySignIn): { readonly authenticatedAt?: string } => {
  if (authenticatedAt) {
    return { authenticatedAt: authenticatedAt.toISOString() };
  }
  return isFresh ? {} : { authenticatedAt: new Date(0).toISOString() };
};

const endFormerSession = async (
  { db }: SignInDeps,
  { former }: IdentitySignIn['attempt'],
): Promise<void> => {
  if (former) {
    const { operatorId, sessionId: id } = former;
    await endSession(db, { operatorId, id });
  }
};

/** As for `assertEnrolled`: an existing account accepts nothing before it has a second factor. */
const assertMayAccept = (
  { requiresSecondFactor, requiredAmr }: SignInDeps,
  { amr }: ProvenIdentity,
): void => {
  const proof = { signInMethod: 'oidc', amr, hasTotp: false, hasLostFactor: false } as const;
  if (requiresSecondFactor && !hasSecondFactor(proof, requiredAmr)) {
    throw new AppError('second_factor_enrolment_required');
  }
};

type Redemption = {
  readonly operator: OperatorRow;
  readonly isNew: boolean;
  readonly tokenDigest: string;
};

/** As for `acceptInvite`: an account that an invite created ends with it, because nobody signs up. */
const redeem = async (
  { callAgents, db, sessions }: SignInDeps,
  { raw, requestId, allowedDomains }: IdentitySignIn,
  { operator: { id, email, name }, isNew, tokenDigest }: Redemption,
): Promise<void> => {
  try {
    const body = { tokenDigest, operator: { id, email, name } };
    await callAgents(redeemInviteContract, body, requestId);
  } catch (error) {
    const isWithdrawn = isAppError(error) && error.code === 'invalid_one_time_token';
    if (isNew && isWithdrawn && !isOfDomain(email, allowedDomains)) {
      await write(db, 'global', (tx) => deleteOperator(tx, id));
      await sessions.discard(raw);
    }
    throw error;
  }
};

/** Refusals are in the history, under the limit of all failures; outages are not. */
const recordRefusal = async (
  deps: SignInDeps,
  { proven, client, operator }: IdentitySignIn & { readonly operator: OperatorRow | null },
  error: unknown,
): Promise<void> => {
  if (isAppError(error) && error.status < 500) {
    const email = operator?.email ?? proven.email ?? 'unknown';
    const operatorId = operator?.id ?? null;
    await recordFailedSignIn(deps, { email, method: 'oidc', client, operatorId });
  }
};
