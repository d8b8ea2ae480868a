import { configurationCheck, modeFact, secretsFact, type Db } from '@commonplace/db';
import type { Config } from './config.ts';

type Checked = Pick<Config, 'PASSWORD_PEPPERS' | 'DEPLOYMENT_MODE' | 'ACCEPT_CONFIGURATION'>;

/** Makes the check that the passwords of the database can be verified, and that no mode opens it unasked. */
export const checkConfiguration = (db: Db, config: Checked): (() => Promise<void>) =>
  configurationCheck(db, {
    service: 'auth',
    facts: [passwordsFact(config.PASSWORD_PEPPERS), modeFact(config.DEPLOYMENT_MODE)],
    accepted: config.ACCEPT_CONFIGURATION,
  });

const passwordsFact = (peppers: Checked['PASSWORD_PEPPERS']) =>
  secretsFact('PASSWORD_PEPPERS', peppers, 'With this one no password of an operator works');
