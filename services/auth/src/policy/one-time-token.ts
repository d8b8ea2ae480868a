import { createHash, randomBytes } from 'node:crypto';

/** A token of 256 random bits for a link. */
export const newOneTimeToken = (): string => randomBytes(32).toString('base64url');

/** What is kept of a one-time token: hex SHA-256. It needs no slow hash, because nobody can guess it. */
export const oneTimeTokenDigest = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
