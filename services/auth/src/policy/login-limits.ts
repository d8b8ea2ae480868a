import { createHash } from 'node:crypto';
import { networkOfAddress } from '@commonplace/identity';

/** What a wrong try is counted against. */
export type LoginBuckets = {
  readonly accountAddress: string;
  readonly address: string;
  readonly account: string;
};

/** After so many wrong tries of a pair of account and address each further one has to wait. */
export const pairFreeAttempts = 5;
export const pairFirstDelaySeconds = 30;
export const pairMaxDelaySeconds = 15 * 60;
/** A pair that has to wait, and tried nothing for so long, begins anew. */
export const pairRetentionSeconds = 24 * 60 * 60;
/** One that has free tries left is kept no longer than it helps: most pairs are tried once, by guessers of e-mails. */
export const pairFreeRetentionSeconds = 60 * 60;

export type WindowLimit = { readonly attemptsMax: number; readonly windowSeconds: number };

export const addressLimit: WindowLimit = { attemptsMax: 30, windowSeconds: 60 };
/** High enough that nobody can lock another out from a few addresses. */
export const accountLimit: WindowLimit = { attemptsMax: 100, windowSeconds: 60 * 60 };
/** Failures written to the history for one account, or for all unknown e-mails together. */
export const historyLimit: WindowLimit = { attemptsMax: 200, windowSeconds: 60 * 60 };

/** The buckets of a try. They are digests: e-mails that are typed in are not kept in clear. */
export const loginBuckets = (email: string, address: string): LoginBuckets => {
  const network = networkOfAddress(address);
  return {
    accountAddress: bucketOf('pair', email, network),
    address: bucketOf('address', network),
    account: bucketOf('account', email),
  };
};

/** The bucket that bounds the history of an operator's failures; `null`: of unknown e-mails. */
export const historyBucket = (operatorId: string | null): string =>
  bucketOf('history', operatorId ?? 'unknown');

const bucketOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');
