import { createHash } from 'node:crypto';
import { networkOfAddress } from '@commonplace/identity';
import type { WindowLimit } from './login-limits.ts';

/** Registrations of OAuth clients: each is a row for a month if nobody uses it. */
export const registrationLimits: readonly WindowLimit[] = [
  { attemptsMax: 30, windowSeconds: 60 },
  { attemptsMax: 120, windowSeconds: 60 * 60 },
];

/** Authorizations that begin: each is a row for an hour. An office behind one address has many. */
export const authorizationLimits: readonly WindowLimit[] = [
  { attemptsMax: 120, windowSeconds: 60 },
  { attemptsMax: 1_200, windowSeconds: 60 * 60 },
];

/** Metadata documents of clients that are read for one address. */
export const documentLimit: WindowLimit = { attemptsMax: 30, windowSeconds: 60 };

/** The bucket of documents of an address (IPv6: of its /64). */
export const documentBucket = (address: string): string =>
  createHash('sha256')
    .update(JSON.stringify(['client document', networkOfAddress(address)]))
    .digest('hex');

/** What needs no credential to begin, and leaves a row. */
export type BegunKind = 'registration' | 'authorization';

/** The bucket of an address (IPv6: of its /64) in one window. */
export const begunBucket = (
  kind: BegunKind,
  address: string,
  { windowSeconds }: WindowLimit,
): string =>
  createHash('sha256')
    .update(JSON.stringify([kind, networkOfAddress(address), windowSeconds]))
    .digest('hex');
