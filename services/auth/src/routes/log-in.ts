import { logInContract } from '@commonplace/contracts/auth';
import { defineRoute, reply } from '@commonplace/http';
import { checkPassword } from '../commands/check-password.ts';
import { recordSignIn } from '../commands/record-sign-in.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { presentSignedIn } from '../present/operators.ts';
import { clientOf } from '../sessions/client-of.ts';

type LogInDeps = Pick<Deps, 'db' | 'clock' | 'passwords' | 'sessions' | 'deploymentMode'>;

/** `POST /api/auth/login` */
export const logInRoute = (deps: LogInDeps) =>
  defineRoute(logInContract, async ({ body, raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const client = clientOf(raw.req);
    const operator = await checkPassword(deps, { ...body, client });
    const { id: operatorId, email, session_epoch: epoch } = operator;
    // The epoch was read with the hash: if the password has changed meanwhile, nothing begins.
    await deps.sessions.begin(raw, { operatorId, epoch });
    await recordSignIn(deps, { operatorId, email, method: 'password', client });
    return reply(200, { operator: presentSignedIn(operator) });
  });
