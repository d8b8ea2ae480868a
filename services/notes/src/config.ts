import {
  databaseFields,
  embeddingsFields,
  embeddingsIncomplete,
  isEmbeddingsComplete,
  logLevel,
  metricsFields,
  parseEnv,
  port,
  secretList,
  serviceUrls,
  tracingFields,
  wholeNumber,
} from '@commonplace/config';
import { z } from 'zod';
import type { Retention } from './maintenance/purge.ts';

const days = (min: number) => wholeNumber(min, 36_500);

const serviceSchema = z
  .object({
    HOST: z.string().default('127.0.0.1'),
    PORT: port.default(0),
    LOG_LEVEL: logLevel.default('info'),
    ...databaseFields,
    ...metricsFields,
    ...tracingFields,
    ...embeddingsFields,
    AGENTS_URL: serviceUrls,
    TOMBSTONE_DAYS: days(1).default(90),
    MUTATION_DAYS: days(1).default(30),
    /** 0: forever. */
    REVISION_DAYS: days(0).default(0),
    INTERNAL_IDENTITY_SECRETS: secretList,
    /** MiB of bodies over 64 KiB processed at once; others wait. */
    LARGE_BODY_MIB_MAX: wholeNumber(1, 1_000_000).default(48),
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
