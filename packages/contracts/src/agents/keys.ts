import { z } from 'zod';
import { byOperators } from '../access.ts';
import { lineOfText, pageOf, pageQuery, queryFlag, timestamp, yearOfPostgres } from '../common.ts';
import { grantList, requestedGrants } from '../grants.ts';
import { agentId, companyId, keyId, operatorId } from '../ids.ts';
import { routeContract } from '../route-contract.ts';
import { requestedScopes, scopeList } from '../scopes.ts';
import { secretHeaders } from '../secret-headers.ts';
import { agentParams } from './agents.ts';
import { companyParams } from './companies.ts';

/** The limit of active keys per agent. */
export const activeKeysMax = 10;

export const apiKey = z
  .object({
    id: keyId,
    agentId,
    companyId,
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters of the key, for recognition' }),
    scopes: scopeList,
    grants: grantList,
    createdAt: timestamp,
    createdBy: z.object({ kind: z.literal('operator'), id: operatorId }),
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: 'With a precision of one minute' }),
    revokedAt: timestamp.nullable(),
    replacedBy: keyId.nullable().meta({
      description:
        'The key that a rotation made in its place; null for keys that an earlier release rotated',
    }),
  })
  .meta({ id: 'ApiKey', description: 'A long-lived credential of one agent, without its value' });
export type ApiKey = z.infer<typeof apiKey>;

/** The response to creation and rotation, the only ones with the value. */
export const createdApiKey = apiKey
  .extend({
    key: z
      .string()
      .meta({ description: 'The value: `cpk_…`. Returned only once; only its HMAC is stored' }),
  })
  .meta({ id: 'CreatedApiKey', description: 'A new API key together with its value' });
export type CreatedApiKey = z.infer<typeof createdApiKey>;

/** The name of a key. */
export const apiKeyName = lineOfText(1, 200);

/** The path of one key. */
export const apiKeyParams = z.object({ agentId, keyId });

/** The filters of the lists of API keys and connections of a company. */
export const credentialFilter = {
  agentId: agentId.optional().meta({ description: 'Only those of this agent' }),
  active: queryFlag.optional().meta({
    description:
      'Only those that are neither revoked nor expired, or only the others. Default: all',
  }),
  unusedSince: timestamp.optional().meta({
    description: 'Only active ones that were created, and last used if at all, before this time',
  }),
  expiresBefore: timestamp.optional().meta({
    description: 'Only active ones that expire before this time',
  }),
};

/** A time as clients send it: RFC 3339 with any offset. */
const moment = z.iso
  .datetime({ offset: true })
  .refine(...yearOfPostgres)
  .meta({ description: 'RFC 3339; must be in the future. Absent or null: never' });

export const createKeyContract = routeContract({
  operationId: 'createKey',
  service: 'agents',
  method: 'post',
  path: '/api/agents/{agentId}/keys',
  tag: 'Keys',
  summary: 'Create an API key for an agent',
  description:
    'The response contains the key; its value cannot be read again. An agent has at most ten active ' +
    'keys. A key with all scopes, in a company without an active one, needs a sign-in of the last 15 ' +
    'minutes.',
  params: agentParams,
  body: z.strictObject({
    name: apiKeyName,
    expiresAt: moment.nullable().default(null),
    scopes: requestedScopes
      .optional()
      .meta({ description: 'What the key may do; all by default. Cannot be changed later' }),
    grants: requestedGrants.nullable().optional(),
  }),
  responses: {
    201: {
      description: 'The key with its value',
      schema: createdApiKey,
      headers: secretHeaders,
    },
  },
  errors: [
    'not_found',
    'reauthentication_required',
    'key_limit',
    'agent_terminated',
    'company_archived',
  ],
  access: byOperators('operator', 'agentId'),
});

export const listKeysContract = routeContract({
  operationId: 'listKeys',
  service: 'agents',
  method: 'get',
  path: '/api/agents/{agentId}/keys',
  tag: 'Keys',
  summary: 'List the API keys of an agent',
  description: 'Newest first, including revoked and expired ones, without their values.',
  params: agentParams,
  query: z.object(pageQuery),
  responses: { 200: { description: 'One page of keys', schema: pageOf(apiKey) } },
  errors: ['not_found'],
  access: byOperators('viewer', 'agentId'),
});

export const listCompanyKeysContract = routeContract({
  operationId: 'listCompanyKeys',
  service: 'agents',
  method: 'get',
  path: '/api/companies/{companyId}/keys',
  tag: 'Keys',
  summary: 'List the API keys of a company',
  description:
    'Those of all agents, newest first, including revoked and expired ones unless a filter is given, without their values.',
  params: companyParams,
  query: z.object({ ...pageQuery, ...credentialFilter }),
  responses: { 200: { description: 'One page of keys', schema: pageOf(apiKey) } },
  errors: [],
  access: byOperators('viewer'),
});

export const revokeKeyContract = routeContract({
  operationId: 'revokeKey',
  service: 'agents',
  method: 'delete',
  path: '/api/agents/{agentId}/keys/{keyId}',
  tag: 'Keys',
  summary: 'Revoke an API key',
  description:
    'The key and the tokens of its runs are rejected everywhere within a second, and the runs are cancelled. ' +
    'Revoking it again keeps the first time. Revoking a rotated key ends its runs.',
  params: apiKeyParams,
  responses: { 204: { description: 'The key is revoked' } },
  errors: ['not_found', 'company_archived'],
  access: byOperators('operator', 'agentId', 'keyId'),
});

export const rotateKeyContract = routeContract({
  operationId: 'rotateKey',
  service: 'agents',
  method: 'post',
  path: '/api/agents/{agentId}/keys/{keyId}/rotate',
  tag: 'Keys',
  summary: 'Replace an API key',
  description:
    'The new key has the name, the scopes and the expiry of the old one, which ends after the overlap: at once by ' +
    'default, at most a week. During an overlap both count as active. Runs of the old key go on until their ' +
    'tokens expire; the new key may renew them. If the old key leaked, revoke it as well. 409 `key_not_live` if the ' +
    'key is revoked or expired, or was replaced already, also during the overlap: then the problem has `replacedBy`, ' +
    'the key to rotate in its place.',
  params: apiKeyParams,
  body: z.strictObject({ overlapSeconds: z.int().min(0).max(604_800).default(0) }),
  responses: {
    201: {
      description: 'The new key with its value',
      schema: createdApiKey,
      headers: secretHeaders,
    },
  },
  errors: ['not_found', 'key_not_live', 'key_limit', 'agent_terminated', 'company_archived'],
  access: byOperators('operator', 'agentId', 'keyId'),
});
