import {
  linkIdentityContract,
  listIdentitiesContract,
  unlinkIdentityContract,
} from '@commonplace/contracts/auth';
import { AppError } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import { defineRoute, reply } from '@commonplace/http';
import { requireRecentSignIn } from '../commands/require-recent-sign-in.ts';
import { unlinkIdentity } from '../commands/unlink-identity.ts';
import type { Deps } from '../deps.ts';
import { assertAccountsEnabled } from '../policy/assert-accounts-enabled.ts';
import { identitiesMax } from '../policy/identity-limits.ts';
import { presentIdentity } from '../present/identities.ts';
import { listIdentities } from '../queries/identities.ts';
import { assertOidc } from './assert-oidc.ts';

/** `GET /api/auth/identities` */
export const listIdentitiesRoute = ({ db }: Pick<Deps, 'db'>) =>
  defineRoute(listIdentitiesContract, async ({ caller }) => {
    const rows = await read(db, 'global', (tx) => listIdentities(tx, caller.operatorId));
    return reply(200, { items: rows.map(presentIdentity) });
  });

/** `POST /api/auth/identities` */
export const linkIdentityRoute = (deps: Pick<Deps, 'db' | 'clock' | 'oidc' | 'deploymentMode'>) =>
  defineRoute(linkIdentityContract, async ({ caller, raw }) => {
    assertAccountsEnabled(deps.deploymentMode);
    const { attempts, provider } = assertOidc(deps);
    const { operatorId, sessionId } = caller;
    if (sessionId === null) {
      throw new AppError('local_trusted');
    }
    await requireRecentSignIn(deps, caller);
    const own = await read(deps.db, 'global', (tx) => listIdentities(tx, operatorId));
    if (own.length >= identitiesMax) {
      throw new AppError('identity_limit');
    }
    const attempt = await attempts.begin(raw, {
      returnTo: '/account',
      isFresh: false,
      purpose: { kind: 'link', operatorId, sessionId },
    });
    return reply(200, { url: await provider.authorizationUrl(attempt) });
  });

/** `DELETE /api/auth/identities/{identityId}` */
export const unlinkIdentityRoute = (
  deps: Pick<Deps, 'db' | 'clock' | 'isLocalLogin' | 'oidc' | 'passkeySite'>,
) =>
  defineRoute(unlinkIdentityContract, async ({ caller, params }) => {
    await unlinkIdentity(deps, { caller }, params.identityId);
    return reply(204);
  });
