import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is just above 2^256. */
const bodyLength = 43;
/** 62^6 is above 2^32. */
const checksumLength = 6;

/** How opaque bearers of one kind are made, and recognised before any lookup. */
export type BearerFormat = {
  readonly make: () => string;
  /** Whether a text has the form and the checksum. The bearer need not exist. */
  readonly isWellFormed: (text: string) => boolean;
};

/** A marker, 256 random bits in base62, and the CRC32 of all that in base62. */
export const bearerFormat = (marker: string): BearerFormat => {
  const pattern = new RegExp(`^${marker}[0-9A-Za-z]{${bodyLength + checksumLength}}$`);
  return {
    make: () => {
      const start = marker + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), bodyLength);
      return start + checksumOf(start);
    },
    isWellFormed: (text) =>
      pattern.test(text) &&
      checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength),
  };
};

const checksumOf = (text: string): string => base62(BigInt(crc32(text)), checksumLength);

const base62 = (number: bigint, length: number): string => {
  let digits = '';
  for (let rest = number; rest > 0n; rest /= 62n) {
    digits = alphabet.charAt(Number(rest % 62n)) + digits;
  }
  return digits.padStart(length, '0');
};
