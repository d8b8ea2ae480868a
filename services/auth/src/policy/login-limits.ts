import { createHash } from 'node:crypto';
import { networkOfAddress } from '@commonplace/identity';

/** The counters of a failed sign-in. */
export type LoginBuckets = {
  readonly accountAddress: string;
  readonly address: string;
  readonly account: string;
};

/** Failed attempts of a pair of account and address before each further one is delayed. */
export const pairFreeAttempts = 5;
export const pairFirstDelaySeconds = 30;
export const pairMaxDelaySeconds = 15 * 60;
/** A delayed pair starts over after this time without an attempt. */
export const pairRetentionSeconds = 24 * 60 * 60;
/**
 * How long to keep pairs that are not delayed. Short, because most pairs of an attack are used
 * once.
 */
export const pairFreeRetentionSeconds = 60 * 60;

export type WindowLimit = { readonly attemptsMax: number; readonly windowSeconds: number };

export const addressLimit: WindowLimit = { attemptsMax: 30, windowSeconds: 60 };
/** High enough that nobody can lock out another operator from a few addresses. */
export const accountLimit: WindowLimit = { attemptsMax: 100, windowSeconds: 60 * 60 };
/** Failures in the history per account, and for all unknown e-mails together. */
export const historyLimit: WindowLimit = { attemptsMax: 200, windowSeconds: 60 * 60 };

/**
 * The buckets of an attempt. They are digests, so that entered e-mails are not stored in clear
 * text.
 */
export const loginBuckets = (email: string, address: string): LoginBuckets => {
  const network = networkOfAddress(address);
  return {
    accountAddress: bucketOf('pair', email, network),
    address: bucketOf('address', network),
    account: bucketOf('account', email),
  };
};

/** The bucket that limits the failures in the history of an operator; null: of unknown e-mails. */
export const historyBucket = (operatorId: string | null): string =>
  bucketOf('history', operatorId ?? 'unknown');

const bucketOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');
