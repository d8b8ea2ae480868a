import { changePasswordContract } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { changePassword } from '../commands/change-password.ts';
import { checkPassword } from '../commands/check-password.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { clientOf } from '../sessions/client-of.ts';

type ChangeDeps = Pick<Deps, 'db' | 'clock' | 'passwords' | 'sessions' | 'deploymentMode'>;

/** `PUT /api/auth/password` */
export const changePasswordRoute = (deps: ChangeDeps) =>
  defineRoute(changePasswordContract, async ({ caller, body, raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const verified = await checkPassword(deps, {
      email: caller.email,
      password: body.currentPassword,
      client: clientOf(raw.req),
    });
    const acting = { caller, raw, as: 'oneself' } as const;
    const { newPassword } = body;
    const changed = await changePassword(deps, { acting, verified, newPassword });
    const { id: operatorId, session_epoch: epoch } = changed;
    await deps.sessions.begin(raw, { operatorId, epoch });
    return reply(204);
  });
