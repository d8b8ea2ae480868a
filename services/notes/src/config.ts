import {
  databaseFields,
  embeddingsIncomplete,
  fieldsReadBy,
  isEmbeddingsComplete,
  parseEnv,
  port,
  serviceUrls,
} from '@commonplace/config';
import { z } from 'zod';
import type { Retention } from './maintenance/purge.ts';

const serviceSchema = z
  .object({
    ...fieldsReadBy('notes'),
    ...databaseFields,
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(0),
    AGENTS_URL: serviceUrls,
  })
  // A mutation replayed after the purge of its note would succeed without reporting the deletion.
  .refine(({ MUTATION_DAYS, TOMBSTONE_DAYS }) => MUTATION_DAYS <= TOMBSTONE_DAYS, {
    path: ['MUTATION_DAYS'],
    message: 'must not be above TOMBSTONE_DAYS',
  })
  .refine(isEmbeddingsComplete, embeddingsIncomplete);

/** Reads and validates the environment of the service process. */
export const readServiceConfig = () => parseEnv(serviceSchema);

/** Retention times from the configuration. */
export const retentionOf = (config: z.output<typeof serviceSchema>): Retention => ({
  tombstoneDays: config.TOMBSTONE_DAYS,
  mutationDays: config.MUTATION_DAYS,
  revisionDays: config.REVISION_DAYS,
});
