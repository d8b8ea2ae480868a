import { runPeriodically } from '@commonplace/concurrency';
import { isAppError } from '@commonplace/contracts/core';
import { read, write } from '@commonplace/db';
import { createOperator } from './commands/create-operator.ts';
import type { Config } from './config.ts';
import type { Deps } from './deps.ts';
import { newOneTimeToken, oneTimeTokenDigest } from './policy/one-time-token.ts';
import { findInstance, replaceSetupToken, recordTransfer } from './queries/instance.ts';

type BootstrapDeps = Pick<Deps, 'db' | 'clock' | 'log' | 'passwords' | 'deploymentMode'>;

export type BootstrapConfig = Pick<
  Config,
  'BOOTSTRAP_OPERATOR_EMAIL' | 'BOOTSTRAP_OPERATOR_PASSWORD' | 'PUBLIC_URL' | 'GATEWAY_URL'
> & {
  /** Shows a setup link to the person who runs the instance. */
  readonly announce: (url: string) => void;
  /** Throws until the configuration is known to match the database; nothing changes before. */
  readonly assertConfiguration?: () => Promise<void>;
};

const retryMs = 1_000;

/**
 * Creates the configured first operator, or shows a setup link. Runs once per start, as soon as the
 * database is available.
 */
export const bootstrapInstance = (
  deps: BootstrapDeps,
  config: BootstrapConfig,
  signal: AbortSignal,
): Promise<void> => {
  const run = async () => {
    await config.assertConfiguration?.();
    await bootstrapOnce(deps, config);
    return true;
  };
  const onError = (error: unknown) =>
    deps.log.warn({ err: error }, 'the instance is not set up yet; a retry follows');
  return runPeriodically({ run, pauseMs: retryMs, onError }, signal);
};

/** One attempt of `bootstrapInstance`. */
export const bootstrapOnce = async (
  deps: BootstrapDeps,
  config: BootstrapConfig,
): Promise<void> => {
  if (deps.deploymentMode === 'local_trusted') {
    // The local operator may create companies now; a later first operator must get them, too.
    await write(deps.db, 'global', (tx) => recordTransfer(tx, null));
  }
  const { firstOperatorId: firstId } = await read(deps.db, 'global', findInstance);
  const { BOOTSTRAP_OPERATOR_EMAIL: email, BOOTSTRAP_OPERATOR_PASSWORD: password } = config;
  if (firstId !== null) {
    return;
  }
  if (email !== undefined && password !== undefined) {
    await createConfigured(deps, email, password);
  } else if (deps.deploymentMode === 'authenticated') {
    await offerSetupLink(deps, config);
  }
};

const createConfigured = async (
  deps: BootstrapDeps,
  email: string,
  password: string,
): Promise<void> => {
  const name = email.split('@')[0] ?? email;
  try {
    const { id } = await createOperator(deps, { email, name, password }, { kind: 'first' });
    deps.log.info({ operatorId: id }, 'created the first operator');
  } catch (error) {
    // `already_set_up`: another replica created the first operator. The other errors are permanent,
    // so there is no retry.
    if (!isAppError(error) || error.code === 'busy') {
      throw error;
    }
    if (error.code !== 'already_set_up') {
      deps.log.error({ reason: error.code }, 'the configured first operator cannot be created');
    }
  }
};

/**
 * Every start creates a new link and invalidates the previous one. The token is in the fragment,
 * which browsers do not send; it is useless once there is a first operator.
 */
const offerSetupLink = async ({ db }: BootstrapDeps, config: BootstrapConfig): Promise<void> => {
  const token = newOneTimeToken();
  if (!(await write(db, 'global', (tx) => replaceSetupToken(tx, oneTimeTokenDigest(token))))) {
    return;
  }
  const url = `${config.PUBLIC_URL ?? config.GATEWAY_URL}/setup#token=${token}`;
  config.announce(url);
};
