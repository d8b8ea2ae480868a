import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { crc32 } from 'node:zlib';

const marker = 'cpk_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 62^43 is just above 2^256. */
const bodyLength = 43;
/** 62^6 is above 2^32. */
const checksumLength = 6;
const pattern = new RegExp(`^${marker}[0-9A-Za-z]{${bodyLength + checksumLength}}$`);
/** Marker and six characters of the body: enough to distinguish keys, not enough to guess one. */
const prefixLength = marker.length + 6;

/**
 * Makes an API key: `cpk_`, 256 random bits in base62, and the CRC32 of all that in base62.
 * Marker and checksum let secret scanners find a leaked key, and let us refuse a mistyped one
 * without a lookup.
 */
export const makeApiKey = (): string => {
  const start = marker + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), bodyLength);
  return start + checksumOf(start);
};

/** Whether a key has the right form and checksum. The key need not exist. */
export const isWellFormedApiKey = (text: string): boolean =>
  pattern.test(text) && checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

/** The part of a key that may be shown again, so that people can distinguish their keys. */
export const apiKeyPrefix = (key: string): string => key.slice(0, prefixLength);

/** The KeyObjects of the pepper list, made once at start: the first hashes new keys, all find old ones. */
export const pepperKeys = (
  secrets: readonly [string, ...string[]],
): readonly [KeyObject, ...KeyObject[]] => {
  const [first, ...rest] = secrets.map((secret) => createSecretKey(secret, 'utf8'));
  return [first as KeyObject, ...rest];
};

/**
 * What is stored of a key: hex HMAC-SHA256 under each pepper, in their order. A key is 256 random
 * bits, so a fast hash is the right one; the pepper makes a stolen table useless for checking guesses.
 */
export const apiKeyDigests = (
  peppers: readonly [KeyObject, ...KeyObject[]],
  key: string,
): readonly [string, ...string[]] => {
  const [first, ...rest] = peppers;
  return [digestOf(first, key), ...rest.map((pepper) => digestOf(pepper, key))];
};

const digestOf = (pepper: KeyObject, key: string): string =>
  createHmac('sha256', pepper).update(key).digest('hex');

const checksumOf = (text: string): string => base62(BigInt(crc32(text)), checksumLength);

const base62 = (number: bigint, length: number): string => {
  let digits = '';
  for (let rest = number; rest > 0n; rest /= 62n) {
    digits = alphabet.charAt(Number(rest % 62n)) + digits;
  }
  return digits.padStart(length, '0');
};
