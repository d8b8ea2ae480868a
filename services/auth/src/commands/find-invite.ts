import { AppError } from '@commonplace/contracts/core';
import { findInviteContract } from '@commonplace/contracts/internal';
import type { Client, Deps } from '../deps.ts';
import { inviteBucket, inviteLimit } from '../policy/login-limits.ts';
import { oneTimeTokenDigest } from '../policy/one-time-token.ts';
import { consumeWindowAttempt } from './consume-login-attempt.ts';
import { findShare } from './find-share.ts';

type FindDeps = Pick<Deps, 'db' | 'clock' | 'callAgents'>;

export type InviteAttempt = {
  readonly token: string;
  readonly client: Client;
  readonly requestId: string;
};

/**
 * Returns the invite of a token, the digest by which the agents service knows it, and the bucket that counts the attempt.
 * Anybody may call with any token, so attempts are counted before the work: 429 `login_throttled`. Without an invite 401
 * `invalid_one_time_token`.
 */
export const findInvite = async (deps: FindDeps, { token, client, requestId }: InviteAttempt) => {
  const bucket = inviteBucket(await findShare(deps, client, 'anybody'));
  await consumeWindowAttempt(deps, bucket, inviteLimit);
  const tokenDigest = oneTimeTokenDigest(token);
  return { invite: await findInviteOfDigest(deps, tokenDigest, requestId), tokenDigest, bucket };
};

/** Returns the invite whose token has this digest, for attempts that were counted before. Without one 401. */
export const findInviteOfDigest = async (
  { callAgents }: Pick<Deps, 'callAgents'>,
  tokenDigest: string,
  requestId: string,
) => {
  const { invite } = await callAgents(findInviteContract, { tokenDigest }, requestId);
  if (!invite) {
    throw new AppError('invalid_one_time_token');
  }
  return invite;
};
