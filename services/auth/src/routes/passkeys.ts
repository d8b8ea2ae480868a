import {
  createPasskeyContract,
  createPasskeyOptionsContract,
  deletePasskeyContract,
  listPasskeysContract,
  logInWithPasskeyContract,
  logInWithPasskeyOptionsContract,
  updatePasskeyContract,
} from '@commonplace/contracts/auth';
import { read } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { beginPasskeyLogIn, checkPasskey } from '../commands/check-passkey.ts';
import { addPasskey, beginPasskey, removePasskey, updatePasskey } from '../commands/passkeys.ts';
import { recordSignIn } from '../commands/record-sign-in.ts';
import { requireSignInForFactors } from '../commands/require-recent-sign-in.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { presentPasskey, presentSignedIn } from '../present/operators.ts';
import { listPasskeys } from '../queries/passkeys.ts';
import { clientOf } from '../sessions/client-of.ts';

type PasskeyDeps = Pick<
  Deps,
  | 'db'
  | 'clock'
  | 'sessions'
  | 'passkeySite'
  | 'deploymentMode'
  | 'requiresSecondFactor'
  | 'requiredAmr'
  | 'oidc'
  | 'isLocalLogin'
>;

const noStore = { 'Cache-Control': 'no-store' };

/** `POST /api/auth/login/passkey/options` */
export const logInWithPasskeyOptionsRoute = (deps: PasskeyDeps) =>
  defineRoute(logInWithPasskeyOptionsContract, async ({ raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const options = await beginPasskeyLogIn(deps, clientOf(raw.req));
    return reply(200, { options: { ...options } }, noStore);
  });

/** `POST /api/auth/login/passkey` */
export const logInWithPasskeyRoute = (deps: PasskeyDeps) =>
  defineRoute(logInWithPasskeyContract, async ({ body: { response }, raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const client = clientOf(raw.req);
    const { operator, passkeyId } = await checkPasskey(deps, { response, client });
    const { id: operatorId, email, sessionEpoch: epoch } = operator;
    await deps.sessions.begin(raw, { operatorId, epoch, method: 'passkey', passkeyId });
    await recordSignIn(deps, { operatorId, email, method: 'passkey', client });
    return reply(200, { operator: presentSignedIn(operator) });
  });

/** `POST /api/auth/passkeys/options` */
export const createPasskeyOptionsRoute = (deps: PasskeyDeps) =>
  defineRoute(createPasskeyOptionsContract, async ({ caller, raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    await requireSignInForFactors(deps, caller);
    const options = await beginPasskey(deps, { caller, client: clientOf(raw.req) });
    return reply(200, { options: { ...options } }, noStore);
  });

/** `POST /api/auth/passkeys` */
export const createPasskeyRoute = (deps: PasskeyDeps) =>
  defineRoute(createPasskeyContract, async ({ caller, raw, body }) => {
    assertAccountsEnabled(deps.deploymentMode);
    await requireSignInForFactors(deps, caller);
    const client = clientOf(raw.req);
    return reply(201, presentPasskey(await addPasskey(deps, { caller, client, ...body })));
  });

/** `GET /api/auth/passkeys` */
export const listPasskeysRoute = ({ db }: PasskeyDeps) =>
  defineRoute(listPasskeysContract, async ({ caller }) => {
    const rows = await read(db, 'global', (tx) => listPasskeys(tx, caller.operatorId));
    return reply(200, { items: rows.map(presentPasskey) });
  });

/** `PATCH /api/auth/passkeys/{passkeyId}` */
export const updatePasskeyRoute = (deps: PasskeyDeps) =>
  defineRoute(updatePasskeyContract, async ({ caller, params, body: { name } }) => {
    const change = { caller, id: params.passkeyId, name };
    return reply(200, presentPasskey(await updatePasskey(deps, change)));
  });

/** `DELETE /api/auth/passkeys/{passkeyId}` */
export const deletePasskeyRoute = (deps: PasskeyDeps) =>
  defineRoute(deletePasskeyContract, async ({ caller, params }) => {
    await requireSignInForFactors(deps, caller);
    await removePasskey(deps, { caller, id: params.passkeyId });
    return reply(204);
  });
