import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { bearerFormat } from './bearer-format.ts';

const marker = 'cpk_';
const format = bearerFormat(marker);
/** Marker and six characters of the body: enough to distinguish keys, not enough to guess one. */
const prefixLength = marker.length + 6;

/**
 * Makes an API key: `cpk_`, 256 random bits in base62, and the CRC32 of all that in base62.
 * Marker and checksum let secret scanners find a leaked key, and let us refuse a mistyped one
 * without a lookup.
 */
export const makeApiKey = (): string => format.make();

/** Whether a key has the right form and checksum. The key need not exist. */
export const isWellFormedApiKey = (text: string): boolean => format.isWellFormed(text);

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
