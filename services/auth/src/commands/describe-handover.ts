import { AppError } from '@commonplace/contracts/core';
import { read } from '@commonplace/db';
import type { Client, Deps } from '../deps.ts';
import { handoverBucket, inviteLimit } from '../policy/login-limits.ts';
import { oneTimeTokenDigest } from '../policy/one-time-token.ts';
import { findHandover } from '../queries/handovers.ts';
import { findOperator, type OperatorRow } from '../queries/operators.ts';
import { consumeWindowAttempt } from './consume-login-attempt.ts';
import { findShare } from './find-share.ts';

/**
 * Returns the account of a handover that its token can still take. Anybody may call with any token, so attempts are
 * counted before the work: 429 `login_throttled`. 401 `invalid_one_time_token`.
 */
export const describeHandover = async (
  deps: Pick<Deps, 'db' | 'clock'>,
  { token, client }: { readonly token: string; readonly client: Client },
): Promise<OperatorRow> => {
  const bucket = handoverBucket(await findShare(deps, client, 'anybody'));
  await consumeWindowAttempt(deps, bucket, inviteLimit);
  const operator = await findHandoverAccount(deps, oneTimeTokenDigest(token));
  if (!operator) {
    throw new AppError('invalid_one_time_token');
  }
  return operator;
};

/** The account that the token with this digest takes; null without one, and for one that is disabled. */
export const findHandoverAccount = async (
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  tokenDigest: string,
): Promise<OperatorRow | null> => {
  const found = await read(db, 'global', async (tx) => {
    const id = await findHandover(tx, { tokenDigest, now: clock() });
    return id && findOperator(tx, id);
  });
  return found?.disabledAt === null ? found : null;
};
