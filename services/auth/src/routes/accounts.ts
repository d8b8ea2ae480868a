import {
  setUpContract,
  checkSetupTokenContract,
  describeHandoverContract,
  acceptHandoverContract,
  acceptInviteContract,
  changePasswordContract,
  reauthenticateContract,
} from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { transferLocalMemberships } from '../commands/transfer-local-memberships.ts';
import { recordSignIn } from '../commands/record-sign-in.ts';
import { checkSetupToken, setUp } from '../commands/set-up.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { assertLocalLogin } from '../policy/assert-local-login.ts';
import { assertOtherPassword } from '../policy/assert-strong-password.ts';
import { presentSignedIn } from '../present/operators.ts';
import { clientOf } from '../sessions/client-of.ts';
import { acceptInvite } from '../commands/accept-invite.ts';
import { recordReauthentication, requireRecentSignIn } from '../commands/require-recent-sign-in.ts';
import { reauthenticate } from '../commands/reauthenticate.ts';
import { changePassword } from '../commands/change-password.ts';
import { checkPassword } from '../commands/check-password.ts';
import { describeHandover } from '../commands/describe-handover.ts';
import { takeHandoverByToken } from '../commands/take-handover.ts';

/** `POST /api/auth/setup` */
export const setUpRoute = (deps: Omit<Deps, 'runTokenKeys'>) =>
  defineRoute(setUpContract, async ({ body, raw, requestId }) => {
    assertAccountsEnabled(deps.deploymentMode);
    assertLocalLogin(deps);
    const client = clientOf(raw.req);
    const operator = await setUp(deps, { ...body, address: client.address });
    const { id: operatorId, email, sessionEpoch: epoch } = operator;
    await deps.sessions.begin(raw, { operatorId, epoch, method: 'password' });
    await recordSignIn(deps, { operatorId, email, method: 'setup', client });
    // Now if possible, so that the first page shows the companies; `run-background.ts` retries.
    await transferLocalMemberships(deps).catch((error: unknown) => {
      deps.log.warn({ err: error, requestId }, 'local memberships are not transferred yet');
    });
    return reply(201, { operator: presentSignedIn(operator) });
  });

/** `POST /api/auth/setup/check` */
export const checkSetupTokenRoute = (deps: Pick<Deps, 'db' | 'deploymentMode' | 'isLocalLogin'>) =>
  defineRoute(checkSetupTokenContract, async ({ body }) => {
    assertAccountsEnabled(deps.deploymentMode);
    assertLocalLogin(deps);
    await checkSetupToken(deps, body.token);
    return reply(204);
  });

/** `POST /api/auth/invites/accept` */
export const acceptInviteRoute = (deps: Omit<Deps, 'runTokenKeys' | 'log'>) =>
  defineRoute(acceptInviteContract, async ({ body, raw, requestId }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const { token, name, password } = body;
    const client = clientOf(raw.req);
    const acceptance = { token, name, password, client, raw, requestId };
    const { operator, membership } = await acceptInvite(deps, acceptance);
    const { grants = null, ...joined } = membership;
    return reply(200, {
      operator: presentSignedIn(operator),
      membership: { ...joined, grants },
    });
  });

/** `POST /api/auth/handovers/describe` */
export const describeHandoverRoute = (deps: Pick<Deps, 'db' | 'clock' | 'deploymentMode'>) =>
  defineRoute(describeHandoverContract, async ({ body, raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const { email } = await describeHandover(deps, { ...body, client: clientOf(raw.req) });
    return reply(200, { email });
  });

/** `POST /api/auth/handovers/accept` */
export const acceptHandoverRoute = (
  deps: Pick<Deps, 'db' | 'clock' | 'passwords' | 'sessions' | 'deploymentMode' | 'isLocalLogin'>,
) =>
  defineRoute(acceptHandoverContract, async ({ body, raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    assertLocalLogin(deps);
    const client = clientOf(raw.req);
    const operator = await takeHandoverByToken(deps, { ...body, address: client.address });
    const { id: operatorId, email, sessionEpoch: epoch } = operator;
    await deps.sessions.begin(raw, { operatorId, epoch, method: 'password' });
    await recordSignIn(deps, { operatorId, email, method: 'handover', client });
    return reply(200, { operator: presentSignedIn(operator) });
  });

type ChangeDeps = Pick<
  Deps,
  'db' | 'clock' | 'passwords' | 'sessions' | 'deploymentMode' | 'isLocalLogin'
>;

/** `PUT /api/auth/password` */
export const changePasswordRoute = (deps: ChangeDeps) =>
  defineRoute(changePasswordContract, async ({ caller, body, raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    assertLocalLogin(deps);
    await requireRecentSignIn(deps, caller);
    const client = clientOf(raw.req);
    const { email } = caller;
    const verified = await checkPassword(deps, {
      email,
      password: body.currentPassword,
      client,
      refusal: 'The current password is wrong.',
    });
    const acting = { caller, raw, as: 'self' } as const;
    const { newPassword } = body;
    assertOtherPassword(body.currentPassword, newPassword);
    await changePassword(deps, { acting, verified, newPassword, address: client.address });
    return reply(204);
  });

type ReauthenticateDeps = ChangeDeps & Pick<Deps, 'secretBox' | 'log' | 'passkeySite'>;

/** `POST /api/auth/reauthenticate` */
export const reauthenticateRoute = (deps: ReauthenticateDeps) =>
  defineRoute(reauthenticateContract, async ({ caller, body, raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    if (body.password !== undefined) {
      assertLocalLogin(deps);
    }
    const proof = { caller, proof: body, client: clientOf(raw.req) };
    const passkeyId = await reauthenticate(deps, proof);
    await recordReauthentication(deps, { caller, raw }, passkeyId);
    return reply(204);
  });
