import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { authRoutes, protocolRoutes } from '@commonplace/contracts';
import { routes } from '../src/routes/index.ts';
import { createWorld, type World } from './support/auth-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

/** One line per route, so that every review sees who may call it. */
const inventory = () =>
  routes(world.deps).map(({ contract: { method, path, access } }) => {
    const who =
      access.kind === 'service'
        ? `service ${access.callers.join(' ')}`
        : access.kind === 'caller'
          ? `caller ${access.agents ? 'with agents' : 'without agents'}`
          : access.kind;
    return `${method} ${path}: ${who}`;
  });

describe('the routes of the auth service', () => {
  it('are exactly these, with this access', () => {
    expect(inventory().toSorted()).toEqual([
      'delete /api/auth/identities/{identityId}: caller without agents',
      'delete /api/auth/passkeys/{passkeyId}: caller without agents',
      'delete /api/auth/sessions/{sessionId}: caller without agents',
      'delete /api/auth/sessions: caller without agents',
      'delete /api/auth/totp: caller without agents',
      'get /.well-known/oauth-authorization-server/connect: public',
      'get /.well-known/oauth-protected-resource/connect/mcp: public',
      'get /.well-known/oauth-protected-resource/mcp: public',
      'get /.well-known/openid-configuration/connect: public',
      'get /api/auth/activity: caller without agents',
      'get /api/auth/factors: caller without agents',
      'get /api/auth/identities: caller without agents',
      'get /api/auth/oidc/callback: public',
      'get /api/auth/oidc/start: public',
      'get /api/auth/operators: administrator',
      'get /api/auth/passkeys: caller without agents',
      'get /api/auth/session: caller without agents',
      'get /api/auth/sessions: caller without agents',
      'get /api/auth/sign-in-options: public',
      'get /api/instance/activity: caller without agents',
      'get /api/instance: administrator',
      'get /connect/.well-known/oauth-authorization-server: public',
      'get /connect/.well-known/openid-configuration: public',
      'get /connect/authorize/{uid}: public',
      'get /connect/authorize: public',
      'get /connect/consent/{uid}: caller without agents',
      'get /connect/jwks: public',
      'patch /api/auth/operators/{operatorId}: administrator',
      'patch /api/auth/passkeys/{passkeyId}: caller without agents',
      'post /api/auth/handovers/accept: public',
      'post /api/auth/handovers/describe: public',
      'post /api/auth/identities: caller without agents',
      'post /api/auth/invites/accept: public',
      'post /api/auth/invites/describe: public',
      'post /api/auth/invites/oidc: public',
      'post /api/auth/login/passkey/options: public',
      'post /api/auth/login/passkey: public',
      'post /api/auth/login/second-factor: public',
      'post /api/auth/login: public',
      'post /api/auth/logout: caller without agents',
      'post /api/auth/oidc/backchannel-logout: public',
      'post /api/auth/operators/{operatorId}/handover: administrator',
      'post /api/auth/passkeys/options: caller without agents',
      'post /api/auth/passkeys: caller without agents',
      'post /api/auth/reauthenticate: caller without agents',
      'post /api/auth/setup/check: public',
      'post /api/auth/setup: public',
      'post /api/auth/totp/confirm: caller without agents',
      'post /api/auth/totp: caller without agents',
      'post /connect/consent/{uid}: caller without agents',
      'post /connect/register: public',
      'post /connect/revoke: public',
      'post /connect/token: public',
      'post /internal/operators/check: service agents',
      'post /internal/operators/describe: service agents',
      'post /internal/run-tokens: service agents',
      'post /internal/sessions/verify: service gateway',
      'put /api/auth/password: caller without agents',
    ]);
  });

  it('implement every public contract of this service', () => {
    const served = new Set(routes(world.deps).map(({ contract }) => contract.operationId));
    expect(authRoutes.filter(({ operationId }) => !served.has(operationId))).toEqual([]);
  });

  it('are listed among the contracts, unless they are internal: others know no more than the list', () => {
    const listed = new Set(
      [...authRoutes, ...protocolRoutes].map(({ operationId }) => operationId),
    );
    const unlisted = routes(world.deps).flatMap(({ contract: { operationId, access } }) =>
      access.kind === 'service' || listed.has(operationId) ? [] : [operationId],
    );
    expect(unlisted).toEqual([]);
  });
});
