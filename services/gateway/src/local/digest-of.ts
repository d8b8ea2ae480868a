import { createHash } from 'node:crypto';

/** Names a content: what an ETag is made of. */
export const digestOf = (content: string | Buffer): string =>
  createHash('sha256').update(content).digest('base64url').slice(0, 22);
