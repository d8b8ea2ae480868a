import { configurationCheck, secretsFact, type Db } from '@commonplace/db';
import type { ServiceConfig } from './config.ts';

/** Makes the check that the API keys of the database can be verified. */
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
