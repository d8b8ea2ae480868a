import {
  agentId,
  agentStatus,
  companyId,
  companyStatus,
  connectionId,
  keyId,
  listScopes,
  noteGrant,
  operatorId,
  processNames,
  role,
  runId,
  scope,
  sessionId,
} from '@commonplace/contracts/core';
import { z } from 'zod';
import type { Caller } from './caller.ts';

/** Issuer and audience of internal identities; the audience is every service of this system. */
export const identityAudience = 'commonplace-services';
export const identityType = 'int+jwt';
export const identityTtlSeconds = 10;

const grant = z.object({ companyId, role, companyStatus });

const agentClaim = z.object({
  kind: z.literal('agent'),
  agentId,
  agentName: z.string(),
  agentStatus,
  companyId,
  keyId: keyId.nullable(),
  runId: runId.nullable(),
  expiresAt: z.string().nullable(),
});

const connectionClaim = z.object({
  id: connectionId,
  client: z.object({ name: z.string(), host: z.string() }),
});

/**
 * The private claim that holds the caller; parsed on every verification. An agent with fewer than all
 * scopes has a kind of its own, which services of releases without scopes reject, and so has one with a connection,
 * and one with grants.
 */
const callerClaim = z.discriminatedUnion('kind', [
  agentClaim,
  agentClaim.extend({ kind: z.literal('scoped_agent'), scopes: z.array(scope) }),
  agentClaim.extend({
    kind: z.literal('connected_agent'),
    scopes: z.array(scope),
    connection: connectionClaim,
  }),
  agentClaim.extend({
    kind: z.literal('granted_agent'),
    scopes: z.array(scope).nullable(),
    connection: connectionClaim.optional(),
    grants: z.array(noteGrant),
  }),
  z.object({
    kind: z.literal('operator'),
    operatorId,
    name: z.string(),
    email: z.string(),
    isAdmin: z.boolean(),
    isLocal: z.boolean(),
    sessionId: sessionId.nullable(),
    selectedCompanyId: companyId.nullable(),
    companies: z.array(grant).nullable(),
  }),
  z.object({ kind: z.literal('service'), service: z.enum(processNames) }),
]);

/** The claim of a caller. */
export const claimOf = (caller: Caller): z.input<typeof callerClaim> => {
  if (caller.kind !== 'agent') {
    return caller.kind === 'operator'
      ? { ...caller, companies: caller.companies && [...caller.companies] }
      : caller;
  }
  const { scopes, connection, grants, ...agent } = caller;
  if (grants) {
    return {
      ...agent,
      kind: 'granted_agent',
      scopes: scopes && [...scopes],
      ...(connection ? { connection } : {}),
      grants: [...grants],
    };
  }
  if (connection) {
    return { ...agent, kind: 'connected_agent', scopes: listScopes(scopes), connection };
  }
  return scopes === null ? agent : { ...agent, kind: 'scoped_agent', scopes: [...scopes] };
};

/** Parses the claim of a caller; an agent without scopes in its claim has all. */
export const claimedCaller = callerClaim.transform((claim): Caller => {
  switch (claim.kind) {
    case 'agent':
      return { ...claim, scopes: null };
    case 'scoped_agent':
    case 'connected_agent':
      return { ...claim, kind: 'agent' };
    case 'granted_agent': {
      const { connection, ...agent } = claim;
      return { ...agent, kind: 'agent', ...(connection ? { connection } : {}) };
    }
    default:
      return claim;
  }
});
