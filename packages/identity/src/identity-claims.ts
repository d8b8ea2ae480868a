import {
  agentId,
  agentStatus,
  companyId,
  companyStatus,
  keyId,
  operatorId,
  role,
  runId,
  sessionId,
} from '@commonplace/contracts/core';
import { z } from 'zod';

/** Issuer and audience of internal identities; the audience is every service of this system. */
export const identityAudience = 'commonplace-services';
export const identityType = 'int+jwt';
export const identityTtlSeconds = 10;

const grant = z.object({ companyId, role, companyStatus });

/** The private claim that holds the caller; parsed on every verification. */
export const callerClaim = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('agent'),
    agentId,
    agentName: z.string(),
    agentStatus,
    companyId,
    keyId: keyId.nullable(),
    runId: runId.nullable(),
    expiresAt: z.string().nullable(),
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
  z.object({ kind: z.literal('service'), service: z.enum(['gateway', 'auth', 'agents', 'notes']) }),
]);
