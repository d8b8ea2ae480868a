import { configurationCheck, secretsFact } from '@commonplace/checks';
import type { Db } from '@commonplace/db';
import type { ServiceConfig } from './config.ts';

/** Creates the check that the configured peppers can verify the API keys in the database. */
export const checkConfiguration = (
  db: Db,
  config: Pick<ServiceConfig, 'API_KEY_PEPPERS' | 'ACCEPT_CONFIGURATION'>,
): (() => Promise<void>) =>
  configurationCheck(db, {
    service: 'agents',
    facts: [
      secretsFact('API_KEY_PEPPERS', config.API_KEY_PEPPERS, 'With this one no API key works'),
    ],
    accepted: config.ACCEPT_CONFIGURATION,
  });
