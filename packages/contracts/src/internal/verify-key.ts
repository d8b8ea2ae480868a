import { z } from 'zod';
import { agentId, companyId, keyId } from '../ids.ts';
import { agentStatus } from '../caller-roles.ts';
import { timestamp } from '../common.ts';
import { routeContract } from '../route-contract.ts';
import { noteGrant } from '../grants.ts';
import { scope } from '../scopes.ts';

const verifiedKey = z.object({
  keyId,
  agentId,
  companyId,
  agentName: z.string(),
  agentStatus,
  expiresAt: timestamp.nullable(),
});

/**
 * Gateway → agents: the agent of an API key. `digests` are the hex HMAC-SHA256 of the key under
 * each pepper, the current one first; a key found by an old pepper is rehashed. `key` is null for
 * unknown, revoked and expired keys, terminated agents and archived companies. A key with fewer than all
 * scopes is in `scopedKey` instead: a gateway of a release without scopes finds no key and rejects it. One with grants,
 * its own or those of its agent, is in `grantedKey`; the grants are what both allow.
 */
export const verifyKeyContract = routeContract({
  operationId: 'verifyKey',
  service: 'agents',
  method: 'post',
  path: '/internal/keys/verify',
  tag: 'Internal',
  summary: 'Look up an API key by its digest',
  body: z.strictObject({
    digests: z
      .array(z.string().regex(/^[0-9a-f]{64}$/))
      .min(1)
      .max(8),
  }),
  responses: {
    200: {
      description: 'The agent of the key, or null',
      schema: z.object({
        key: verifiedKey.nullable(),
        scopedKey: verifiedKey.extend({ scopes: z.array(scope) }).optional(),
        /** `scopes` null: all. */
        grantedKey: verifiedKey
          .extend({ scopes: z.array(scope).nullable(), grants: z.array(noteGrant) })
          .optional(),
      }),
    },
  },
  errors: [],
  access: { kind: 'service', callers: ['gateway'] },
});
