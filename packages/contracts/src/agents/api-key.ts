import { z } from 'zod';
import { lineOfText, timestamp } from '../common.ts';
import { agentId, companyId, keyId, operatorId } from '../ids.ts';
import { grantList } from '../grants.ts';
import { scopeList } from '../scopes.ts';

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
