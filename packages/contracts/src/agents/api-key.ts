import { z } from 'zod';
import { lineOfText, timestamp } from '../common.ts';
import { agentId, companyId, keyId, operatorId } from '../ids.ts';

/** Living keys an agent may have, at most. */
export const activeKeysMax = 10;

export const apiKey = z
  .object({
    id: keyId,
    agentId,
    companyId,
    name: z.string(),
    prefix: z.string().meta({ description: 'The first characters of the key, to tell keys apart' }),
    createdAt: timestamp,
    createdBy: z.object({ kind: z.literal('operator'), id: operatorId }),
    expiresAt: timestamp.nullable(),
    lastUsedAt: timestamp.nullable().meta({ description: 'Exact to a minute' }),
    revokedAt: timestamp.nullable(),
  })
  .meta({ id: 'ApiKey', description: 'A long-lived credential of one agent, without its value' });
export type ApiKey = z.infer<typeof apiKey>;

/** The answer of creation and rotation, the only ones that hold the value. */
export const createdApiKey = apiKey
  .extend({
    key: z
      .string()
      .meta({ description: 'The value: `cpk_…`. Shown this once; only its HMAC is stored' }),
  })
  .meta({ id: 'CreatedApiKey', description: 'A new API key together with its value' });
export type CreatedApiKey = z.infer<typeof createdApiKey>;

/** What a client calls a key. */
export const apiKeyName = lineOfText(1, 200);

/** The path of one key. */
export const apiKeyParams = z.object({ agentId, keyId });
