import { createHash, randomBytes } from 'node:crypto';

/** Creates a token of 256 random bits for a link. */
export const newOneTimeToken = (): string => randomBytes(32).toString('base64url');

/** The hex SHA-256 under which a one-time token is stored. Random tokens need no slow hash. */
export const oneTimeTokenDigest = (token: string): string =>
  createHash('sha256').update(token).digest('hex');
