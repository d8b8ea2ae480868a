import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { createFairLimiter } from '@commonplace/concurrency';
import { AppError } from '@commonplace/contracts/core';
import bcrypt from 'bcrypt';

/** A stored password: the bcrypt text and the id of its pepper. */
type StoredPassword = { readonly hash: string; readonly pepperId: string };

type PasswordMatch = {
  readonly isMatch: boolean;
  /** It matched with an old pepper or a lower cost: hash it again. */
  readonly isOutdated: boolean;
};

/** Who waits for a password: the queue is fair by account and by address. */
type PasswordShare = { readonly account: string; readonly address: string };

export type Passwords = {
  /** The pepper of new hashes. */
  readonly currentPepperId: string;
  readonly hash: (password: string, share?: PasswordShare) => Promise<StoredPassword>;
  /** Takes as long for `null`, a missing account, as for an existing one. */
  readonly verify: (
    password: string,
    stored: StoredPassword | null,
    share?: PasswordShare,
  ) => Promise<PasswordMatch>;
};

export type PasswordOptions = {
  /** The first is used for new hashes, all of them for verification. */
  readonly peppers: readonly [string, ...string[]];
  /** `bcryptCost`; lower in tests. */
  readonly cost: number;
};

/**
 * Takes about 250 ms on hardware of 2026. After an increase, passwords are hashed again as they are
 * used.
 */
export const bcryptCost = 12;

/**
 * bcrypt runs in the thread pool that DNS shares. More than two at once would stall all other
 * requests: a login flood raised the median response time to 1.6 s. A queue of sixteen waits 2 s. Who has
 * many in it, by account or by address, comes last and loses places to others.
 */
const runningMax = 2;
const waitingMax = 16;

type Pepper = { readonly id: string; readonly key: KeyObject };

/**
 * Creates the functions that hash and verify passwords: bcrypt over base64(HMAC-SHA256(pepper,
 * NFKC(password))). The HMAC accepts passwords of any length with any characters; bcrypt alone
 * ignores everything after 72 bytes and stops at a NUL. Without the pepper, which is not in the
 * database, stolen hashes cannot be attacked.
 */
export const createPasswords = ({ peppers, cost }: PasswordOptions): Passwords => {
  const known = peppers.map(pepperOf);
  const current = known[0] as Pepper;
  const runLimited = createFairLimiter({ runningMax, waitingMax, rejection: busyError });
  return {
    currentPepperId: current.id,
    hash: async (password, share) => ({
      hash: await runLimited(keysOf(share), () => bcrypt.hash(peppered(current, password), cost)),
      pepperId: current.id,
    }),
    verify: async (password, stored, share) => {
      const pepper = known.find(({ id }) => id === stored?.pepperId);
      const hash = stored && pepper ? stored.hash : dummyHash(cost);
      const isMatch = await runLimited(keysOf(share), () =>
        bcrypt.compare(peppered(pepper ?? current, password), hash),
      );
      const isOutdated = isMatch && (pepper !== current || bcrypt.getRounds(hash) < cost);
      return { isMatch, isOutdated };
    },
  };
};

const busyError = () =>
  new AppError('busy', 'Too many passwords are being checked; retry after 2 s.', {
    headers: { 'Retry-After': '2' },
  });

const keysOf = (share: PasswordShare | undefined): string[] =>
  share ? [`account ${share.account}`, `address ${share.address}`] : [];

/** The id reveals nothing about the pepper. */
const pepperOf = (secret: string): Pepper => ({
  id: createHash('sha256')
    .update(`commonplace pepper id\n${secret}`)
    .digest('base64url')
    .slice(0, 12),
  key: createSecretKey(secret, 'utf8'),
});

const peppered = ({ key }: Pepper, password: string): string =>
  createHmac('sha256', key).update(password.normalize('NFKC')).digest('base64');

/** A well-formed hash that matches no password; verifying it takes as long as a real one. */
const dummyHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
