import {
  createConnectionContract,
  endConnectionContract,
  endConnectionTokensContract,
  issueConnectionTokenContract,
  verifyConnectionContract,
} from '@commonplace/contracts/internal';
import { intersectGrants } from '@commonplace/contracts/core';
import { defineRoute, reply } from '@commonplace/http';
import { endConnectionTokens, issueConnectionToken } from '../../commands/connection-tokens.ts';
import { createConnection } from '../../commands/create-connection.ts';
import { endConnection } from '../../commands/revoke-connections.ts';
import { verifyConnection } from '../../commands/verify-connection.ts';
import type { Deps } from '../../deps.ts';
import { futureDate } from '../../policy/expiry.ts';

/** Creates a connection that an operator has allowed, and its agent where it is new. */
export const createConnectionRoute = (
  deps: Pick<Deps, 'db' | 'clock' | 'mode' | 'checkOperator' | 'agentsMax'>,
) =>
  defineRoute(createConnectionContract, async ({ body }) => {
    const expiresAt = body.expiresAt === null ? null : futureDate(body.expiresAt, deps.clock());
    const connectionId = await createConnection(deps, { ...body, expiresAt });
    return reply(201, { connectionId });
  });

/** Stores the digest of an access token that the auth service has issued. */
export const issueConnectionTokenRoute = (
  deps: Pick<Deps, 'db' | 'lookups' | 'clock' | 'peppers'>,
) =>
  defineRoute(issueConnectionTokenContract, async ({ body }) => {
    await issueConnectionToken(deps, { ...body, expiresAt: new Date(body.expiresAt) });
    return reply(200, {});
  });

/** Ends one access token of a connection, or all of them. */
export const endConnectionTokensRoute = (deps: Pick<Deps, 'db' | 'peppers'>) =>
  defineRoute(endConnectionTokensContract, async ({ body: { connectionId, token } }) => {
    await endConnectionTokens(deps, connectionId, token);
    return reply(200, {});
  });

/** Ends a connection that its client gave up or whose refresh token was stolen. */
export const endConnectionRoute = (deps: Pick<Deps, 'db' | 'lookups' | 'clock'>) =>
  defineRoute(endConnectionContract, async ({ body: { connectionId, reason } }) => {
    await endConnection(deps, connectionId, reason);
    return reply(200, {});
  });

/** Looks up an access token. Its rights are those that the agent and the operator still have. */
export const verifyConnectionRoute = (
  deps: Pick<Deps, 'lookups' | 'clock' | 'mode' | 'checkOperator' | 'connectionUsage'>,
) =>
  defineRoute(verifyConnectionContract, async ({ body: { digests } }) => {
    const found = await verifyConnection(deps, digests);
    if (!found) {
      return reply(200, { connection: null });
    }
    const { connectionId, companyId, agentId, agentName, agentStatus, clientName, clientHost } =
      found;
    deps.connectionUsage.record({ id: connectionId, companyId, at: deps.clock() });
    const connection = {
      connectionId,
      companyId,
      agentId,
      agentName,
      agentStatus,
      expiresAt: found.expiresAt.toISOString(),
      scopes: [...found.scopes],
      resource: found.resource,
      client: { name: clientName, host: clientHost },
    };
    const grants = intersectGrants(found.grants, found.agentGrants, found.memberGrants);
    return reply(
      200,
      grants
        ? { connection: null, grantedConnection: { ...connection, grants: [...grants] } }
        : { connection },
    );
  });
