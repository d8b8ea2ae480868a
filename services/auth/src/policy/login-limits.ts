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
/** Failures in the history per account, and for all unknown emails together. */
export const historyLimit: WindowLimit = { attemptsMax: 200, windowSeconds: 60 * 60 };

/** Right passwords of one account under one share: to check one costs as much as a wrong one. */
const accountChecksLimit: WindowLimit = { attemptsMax: 30, windowSeconds: 60 };
/** The same under one share, of all accounts. */
const shareChecksLimit: WindowLimit = { attemptsMax: 240, windowSeconds: 60 };

/** Under what attempts are counted: a known device of an operator, or a network. */
export type Share = { readonly kind: 'device' | 'network'; readonly name: string };

/** The share of a device that an operator signed in with before. */
export const deviceShare = (digest: string): Share => ({ kind: 'device', name: digest });

/** The share of everybody at an address (IPv6: in its /64). */
export const networkShare = (address: string): Share => ({
  kind: 'network',
  name: networkOfAddress(address),
});

/**
 * The buckets of a password. They are digests, so that entered emails are not stored in clear text. The attempts of a
 * known device do not count for the account as a whole, which others can use up.
 */
export const loginBuckets = (email: string, share: Share): LoginBuckets => ({
  accountAddress: bucketOf('pair', email, ...partsOf(share)),
  address: bucketOf('address', ...partsOf(share)),
  account: bucketOf('account', email, ...deviceOf(share)),
});

/** The buckets of right passwords, and their limits. */
export const passwordCheckBuckets = (
  email: string,
  share: Share,
): readonly (readonly [bucket: string, limit: WindowLimit])[] => [
  [bucketOf('checks', ...partsOf(share)), shareChecksLimit],
  [bucketOf('checks of account', email, ...partsOf(share)), accountChecksLimit],
];

/**
 * Codes for one account. A caller who gets here knows the password, and three of a million codes are right at any
 * time, so the limit is lower than that of passwords.
 */
const totpLimit: WindowLimit = { attemptsMax: 20, windowSeconds: 60 * 60 };

/** Nobody guesses 80 random bits, so the limit only bounds the work: who knows the password cannot lock them. */
const recoveryCodeLimit: WindowLimit = { attemptsMax: 1_000, windowSeconds: 60 * 60 };

export type CodeKind = 'totp' | 'recovery_code';

/**
 * The buckets of a code after the password. They are not those of the password, which a right one clears, and each
 * kind of code has its own.
 */
export const secondFactorBuckets = (
  operatorId: string,
  { kind, share }: { readonly kind: CodeKind; readonly share: Share },
): LoginBuckets => {
  const name = kind === 'totp' ? 'factor' : 'recovery';
  return {
    accountAddress: bucketOf(`${name} pair`, operatorId, ...partsOf(share)),
    address: bucketOf(`${name} address`, ...partsOf(share)),
    account: bucketOf(name, operatorId, ...deviceOf(share)),
    accountLimit: kind === 'totp' ? totpLimit : recoveryCodeLimit,
  };
};

/** The bucket that limits challenges with codes, also challenges that are over or invented. */
export const challengeBucket = (share: Share): string => bucketOf('challenge', ...partsOf(share));

/** Challenges for passkeys under one share: each is a row for 5 minutes. */
export const passkeyStartLimit: WindowLimit = { attemptsMax: 60, windowSeconds: 60 };
/** Signatures of passkeys that are verified under one share. */
export const passkeyAttemptLimit: WindowLimit = { attemptsMax: 30, windowSeconds: 60 };

/** The bucket of sign-ins with passkeys. */
export const passkeyAttemptBucket = (step: 'start' | 'attempt', share: Share): string =>
  bucketOf('passkey', step, ...partsOf(share));

/**
 * Attempts with tokens of invites under one share, without those by which somebody joins. An office behind one address
 * makes many.
 */
export const inviteLimit: WindowLimit = { attemptsMax: 120, windowSeconds: 60 };

/** The bucket of attempts with the tokens of invites, also invented ones. */
export const inviteBucket = (share: Share): string => bucketOf('invite', ...partsOf(share));

/** The bucket of looking up the accounts of handovers, also invented ones. */
export const handoverBucket = (share: Share): string => bucketOf('handover', ...partsOf(share));

/** The bucket that limits the failures in the history of an operator; null means of unknown emails. */
export const historyBucket = (operatorId: string | null): string =>
  bucketOf('history', operatorId ?? 'unknown');

/** The bucket that limits callbacks of the provider. */
export const identityBucket = (share: Share): string => bucketOf('identity', ...partsOf(share));

/** Networks are written as before there were devices, so that an upgrade forgets no counter. */
const partsOf = ({ kind, name }: Share): string[] => (kind === 'network' ? [name] : [kind, name]);

const deviceOf = (share: Share): string[] => (share.kind === 'device' ? partsOf(share) : []);

const bucketOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');
