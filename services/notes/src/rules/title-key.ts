import { hash } from 'node:crypto';

/** Longer keys would not fit into an index entry of PostgreSQL (2,704 bytes) with everything beside them. */
const keyBytesMax = 1_000;

/**
 * What two titles have in common when a link treats them as the same: normal form C, lower case, single spaces.
 * Null for a title without text, which nothing can link to.
 */
export const titleKeyOf = (title: string): string | null => {
  const key = title.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ').trim();
  if (key === '') {
    return null;
  }
  return Buffer.byteLength(key) <= keyBytesMax ? key : `sha256 ${hash('sha256', key)}`;
};
