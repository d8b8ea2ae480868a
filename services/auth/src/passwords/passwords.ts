import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { AppError } from '@commonplace/contracts/core';
import bcrypt from 'bcrypt';
import { createSemaphore } from './semaphore.ts';

/** A password as it is stored: bcrypt text, and which pepper went in. */
type StoredPassword = { readonly hash: string; readonly pepperId: string };

type PasswordMatch = {
  readonly isMatch: boolean;
  /** It matched, but was made with a former pepper or a lower cost: hash it again. */
  readonly isOutdated: boolean;
};

export type Passwords = {
  /** The pepper that goes into new hashes. */
  readonly currentPepperId: string;
  readonly hash: (password: string) => Promise<StoredPassword>;
  /** Takes as long for `null`, an account that does not exist, as for one that does. */
  readonly verify: (password: string, stored: StoredPassword | null) => Promise<PasswordMatch>;
};

export type PasswordOptions = {
  /** The first goes into new hashes, all into comparisons. */
  readonly peppers: readonly [string, ...string[]];
  /** `bcryptCost`, or less where many passwords are made for nothing but a test. */
  readonly cost: number;
};

/** About a quarter of a second on the machines of 2026. Raising it re-hashes passwords as they are used. */
export const bcryptCost = 12;

/**
 * bcrypt runs in the thread pool that DNS shares: more than two at once would stall the process for
 * everybody (a login flood raised its median answer to 1.6 s in a probe). Sixteen wait two seconds.
 */
const runningMax = 2;
const waitingMax = 16;

type Pepper = { readonly id: string; readonly key: KeyObject };

/**
 * Makes the functions that hash and compare passwords: bcrypt over
 * base64(HMAC-SHA256(pepper, NFKC(password))). The HMAC takes passwords of any length and any
 * characters, where bcrypt alone would ignore all behind 72 bytes and stop at a NUL; without the
 * pepper, which the database does not hold, stolen hashes cannot even be tried.
 */
export const createPasswords = ({ peppers, cost }: PasswordOptions): Passwords => {
  const known = peppers.map(pepperOf);
  const current = known[0] as Pepper;
  const enter = createSemaphore(runningMax, waitingMax);
  const runLimited = <Result>(work: () => Promise<Result>): Promise<Result> =>
    enter(work) ?? Promise.reject(tooBusy());
  return {
    currentPepperId: current.id,
    hash: async (password) => ({
      hash: await runLimited(() => bcrypt.hash(peppered(current, password), cost)),
      pepperId: current.id,
    }),
    verify: async (password, stored) => {
      const pepper = known.find(({ id }) => id === stored?.pepperId);
      const hash = stored && pepper ? stored.hash : dummyHash(cost);
      const isMatch = await runLimited(() =>
        bcrypt.compare(peppered(pepper ?? current, password), hash),
      );
      const isOutdated = isMatch && (pepper !== current || bcrypt.getRounds(hash) < cost);
      return { isMatch, isOutdated };
    },
  };
};

const tooBusy = () =>
  new AppError('busy', 'Too many passwords are being checked; try again in a moment.', {
    headers: { 'Retry-After': '2' },
  });

/** An id that tells nothing about the pepper. */
const pepperOf = (secret: string): Pepper => ({
  id: createHash('sha256')
    .update(`commonplace pepper id\n${secret}`)
    .digest('base64url')
    .slice(0, 12),
  key: createSecretKey(secret, 'utf8'),
});

const peppered = ({ key }: Pepper, password: string): string =>
  createHmac('sha256', key).update(password.normalize('NFKC')).digest('base64');

/** A well-formed hash that no password has: comparing with it costs as much as with a real one. */
const dummyHash = (cost: number): string =>
  `$2b$${String(cost).padStart(2, '0')}$${'.'.repeat(53)}`;
