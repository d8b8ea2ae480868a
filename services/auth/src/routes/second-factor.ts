import {
  confirmTotpContract,
  createTotpContract,
  deleteTotpContract,
  getFactorsContract,
  logInWithSecondFactorContract,
} from '@commonplace/contracts/auth';
import { AppError } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { confirmTotp, createTotp, deleteTotp } from '../commands/change-totp.ts';
import { attemptChallenge, consumeChallenge } from '../commands/challenges.ts';
import { consumeWindowAttempt, refundWindowAttempts } from '../commands/consume-login-attempt.ts';
import { checkSecondFactor } from '../commands/check-second-factor.ts';
import { findShare } from '../commands/find-share.ts';
import { recordSignIn } from '../commands/record-sign-in.ts';
import { requireSignInForFactors } from '../commands/require-recent-sign-in.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { assertLocalLogin } from '../policy/assert-local-login.ts';
import { addressLimit, challengeBucket } from '../policy/login-limits.ts';
import { presentFactors, presentSignedIn } from '../present/operators.ts';
import { countRecoveryCodes, findTotp } from '../queries/factors.ts';
import { findOperator } from '../queries/operators.ts';
import { listPasskeys } from '../queries/passkeys.ts';
import { findAuthenticatedAt } from '../queries/sessions.ts';
import { clientOf } from '../sessions/client-of.ts';

type FactorDeps = Omit<Deps, 'runTokenKeys' | 'callAgents' | 'passwords'>;

const noStore = { 'Cache-Control': 'no-store' };

/** `POST /api/auth/login/second-factor` */
export const logInWithSecondFactorRoute = (deps: FactorDeps) =>
  defineRoute(logInWithSecondFactorContract, async ({ body, raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    assertLocalLogin(deps);
    const client = clientOf(raw.req);
    const bucket = challengeBucket(await findShare(deps, client, 'anybody'));
    await consumeWindowAttempt(deps, bucket, addressLimit);
    const presented = { challenge: body.challenge, kind: 'second_factor', client } as const;
    const { operatorId, sessionEpoch: epoch } = await attemptChallenge(deps, presented);
    const operator =
      operatorId && (await read(deps.db, 'global', (tx) => findOperator(tx, operatorId)));
    // Before the code, which works once and would be used up for nothing.
    if (!operator || operator.sessionEpoch !== epoch) {
      throw new AppError(
        'challenge_expired',
        'The account has changed since the password was checked; start again.',
      );
    }
    const method = await checkSecondFactor(deps, { operator, factor: body, client });
    await consumeChallenge(deps, presented);
    await refundWindowAttempts(deps, [bucket]);
    // The epoch is that of the verified password: no session starts if it has changed since.
    await deps.sessions.begin(raw, { operatorId: operator.id, epoch, method: 'password' });
    const { id, email } = operator;
    await recordSignIn(deps, { operatorId: id, email, method, client });
    return reply(200, { operator: presentSignedIn(operator) });
  });

/** `GET /api/auth/factors` */
export const getFactorsRoute = ({ db, requiresSecondFactor, isLocalLogin }: FactorDeps) =>
  defineRoute(getFactorsContract, async ({ caller }) => {
    const { operatorId, sessionId: id } = caller;
    const factors = await read(db, 'global', async (tx) => ({
      totp: await findTotp(tx, operatorId),
      recoveryCodesLeft: await countRecoveryCodes(tx, operatorId),
      passkeys: (await listPasskeys(tx, operatorId)).length,
      hasPassword: isLocalLogin && ((await findOperator(tx, operatorId))?.hasPassword ?? false),
      authenticatedAt: id && (await findAuthenticatedAt(tx, { id, operatorId })),
    }));
    return reply(200, presentFactors({ ...factors, isRequired: requiresSecondFactor }));
  });

/** `POST /api/auth/totp` */
export const createTotpRoute = (deps: FactorDeps) =>
  defineRoute(createTotpContract, async ({ caller }) => {
    assertAccountsEnabled(deps.deploymentMode);
    await requireSignInForFactors(deps, caller);
    const { base32: secret, uri, qr } = await createTotp(deps, { caller });
    return reply(200, { secret, uri, qr }, noStore);
  });

/** `POST /api/auth/totp/confirm` */
export const confirmTotpRoute = (deps: FactorDeps) =>
  defineRoute(confirmTotpContract, async ({ caller, raw, body: { code } }) => {
    assertAccountsEnabled(deps.deploymentMode);
    await requireSignInForFactors(deps, caller);
    const client = clientOf(raw.req);
    const recoveryCodes = await confirmTotp(deps, { caller, raw, client, code });
    return reply(200, { recoveryCodes }, noStore);
  });

/** `DELETE /api/auth/totp` */
export const deleteTotpRoute = (deps: FactorDeps) =>
  defineRoute(deleteTotpContract, async ({ caller }) => {
    assertAccountsEnabled(deps.deploymentMode);
    await requireSignInForFactors(deps, caller);
    await deleteTotp(deps, { caller });
    return reply(204);
  });
