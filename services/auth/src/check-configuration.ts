import { assertKnownSecret, configurationCheck, modeFact, secretsFact } from '@commonplace/checks';
import type { Db } from '@commonplace/db';
import type { Config } from './config.ts';

type CheckedConfig = Pick<
  Config,
  'PASSWORD_PEPPERS' | 'SECOND_FACTOR_SECRETS' | 'DEPLOYMENT_MODE' | 'ACCEPT_CONFIGURATION'
>;

/**
 * Creates the check that the configured peppers can verify the passwords in the database, and that
 * the deployment mode was not changed without consent.
 */
export const checkConfiguration = (db: Db, config: CheckedConfig): (() => Promise<void>) =>
  configurationCheck(db, {
    service: 'auth',
    facts: [
      passwordsFact(config.PASSWORD_PEPPERS),
      ...factorsFacts(config.SECOND_FACTOR_SECRETS),
      modeFact(config.DEPLOYMENT_MODE),
    ],
    accepted: config.ACCEPT_CONFIGURATION,
  });

/**
 * For the operator command: a password hashed with a pepper that the service lacks would never
 * match.
 */
export const assertKnownPeppers = (
  db: Db,
  { PASSWORD_PEPPERS }: Pick<Config, 'PASSWORD_PEPPERS'>,
): Promise<void> => assertKnownSecret(db, 'auth', passwordsFact(PASSWORD_PEPPERS));

const passwordsFact = (peppers: CheckedConfig['PASSWORD_PEPPERS']) =>
  secretsFact('PASSWORD_PEPPERS', peppers, 'With this one no password of an operator works');

const factorsFacts = (secrets: CheckedConfig['SECOND_FACTOR_SECRETS']) =>
  secrets
    ? [secretsFact('SECOND_FACTOR_SECRETS', secrets, 'With this one no authenticator app works')]
    : [];
