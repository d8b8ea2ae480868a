import {
  assertKnownSecret,
  configurationCheck,
  modeFact,
  secretsFact,
  type Db,
} from '@commonplace/db';
import type { Config } from './config.ts';

type Checked = Pick<Config, 'PASSWORD_PEPPERS' | 'DEPLOYMENT_MODE' | 'ACCEPT_CONFIGURATION'>;

/** Makes the check that the passwords of the database can be verified, and that no mode opens it unasked. */
export const checkConfiguration = (db: Db, config: Checked): (() => Promise<void>) =>
  configurationCheck(db, {
    service: 'auth',
    facts: [passwordsFact(config.PASSWORD_PEPPERS), modeFact(config.DEPLOYMENT_MODE)],
    accepted: config.ACCEPT_CONFIGURATION,
  });

/** For the operator command: a password hashed with a pepper that the service does not have would let nobody in. */
export const assertKnownPeppers = (
  db: Db,
  { PASSWORD_PEPPERS }: Pick<Config, 'PASSWORD_PEPPERS'>,
): Promise<void> => assertKnownSecret(db, 'auth', passwordsFact(PASSWORD_PEPPERS));

const passwordsFact = (peppers: Checked['PASSWORD_PEPPERS']) =>
  secretsFact('PASSWORD_PEPPERS', peppers, 'With this one no password of an operator works');
