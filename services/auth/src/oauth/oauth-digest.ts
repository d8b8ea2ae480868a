import { createHash } from 'node:crypto';

/** What is stored of an id: it is random, or no secret, so a fast hash is the right one. */
export const oauthDigest = (id: string): string => createHash('sha256').update(id).digest('hex');
