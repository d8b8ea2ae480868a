import { createHash } from 'node:crypto';
import { networkOfAddress } from '@commonplace/identity';

/** The counters of a failed sign-in. */
export type LoginBuckets = {
  readonly accountAddress: string;
  readonly address: string;
  readonly account: string;
  /** The limit of the account, if it is not `accountLimit`. */
  readonly accountLimit?: WindowLimit;
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

/**
 * Codes for one account. A caller who gets here knows the password, and three of a million codes are right at any
 * time, so the limit is lower than that of passwords.
 */
const secondFactorLimit: WindowLimit = { attemptsMax: 20, windowSeconds: 60 * 60 };

/** The buckets of a code after the password. They are not those of the password, which a right one clears. */
export const secondFactorBuckets = (operatorId: string, address: string): LoginBuckets => {
  const network = networkOfAddress(address);
  return {
    accountAddress: bucketOf('factor pair', operatorId, network),
    address: bucketOf('address', network),
    account: bucketOf('factor', operatorId),
    accountLimit: secondFactorLimit,
  };
};

/** The bucket of an address that limits challenges with codes, also challenges that are over or invented. */
export const challengeBucket = (address: string): string =>
  bucketOf('challenge', networkOfAddress(address));

/** Challenges for passkeys of one address: each is a row for 5 minutes. */
export const passkeyStartLimit: WindowLimit = { attemptsMax: 60, windowSeconds: 60 };
/** Signatures of passkeys that are verified for one address. */
export const passkeyAttemptLimit: WindowLimit = { attemptsMax: 30, windowSeconds: 60 };

/** The bucket of an address that signs in with passkeys. */
export const passkeyAttemptBucket = (step: 'start' | 'attempt', address: string): string =>
  bucketOf('passkey', step, networkOfAddress(address));

/** The bucket that limits the failures in the history of an operator; null: of unknown e-mails. */
export const historyBucket = (operatorId: string | null): string =>
  bucketOf('history', operatorId ?? 'unknown');

/** The bucket of an address that limits callbacks of the provider. */
export const identityBucket = (address: string): string =>
  bucketOf('identity', networkOfAddress(address));

const bucketOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');
