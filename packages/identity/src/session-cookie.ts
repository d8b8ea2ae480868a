import {
  createHash,
  createHmac,
  createSecretKey,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto';

/** The name of the session cookie; browsers keep a `__Host-` cookie to one host, https and path `/`. */
export const sessionCookieName = (isHttps: boolean): string =>
  isHttps ? '__Host-commonplace.sid' : 'commonplace.sid';

/** Keys to check cookie signatures with, one per secret; the first is the one that signs. */
export const sessionCookieKeys = (secrets: readonly string[]): readonly KeyObject[] =>
  secrets.map((secret) => createSecretKey(secret, 'utf8'));

/**
 * Reads the session id out of a `Cookie` header, in the format of express-session:
 * `s:<id>.<HMAC-SHA256 of the id, base64 without padding>`, percent-encoded.
 * Null without such a cookie. Of several with the name the first counts, as in express-session.
 */
export const readSessionId = (
  keys: readonly KeyObject[],
  cookieHeader: string | undefined,
  name: string,
): { readonly sid: string } | 'bad signature' | null => {
  const value = cookieValue(cookieHeader ?? '', name);
  if (value === null) {
    return null;
  }
  const [, sid, signature] = /^s:([^.]{1,128})\.([A-Za-z0-9+/]{43})$/.exec(value) ?? [];
  if (sid === undefined || signature === undefined) {
    return 'bad signature';
  }
  const given = Buffer.from(signature);
  return keys.some((key) => timingSafeEqual(signatureOf(key, sid), given))
    ? { sid }
    : 'bad signature';
};

/** The form of a session id in the database and in lookups: hex SHA-256. */
export const sessionDigest = (sid: string): string =>
  createHash('sha256').update(sid).digest('hex');

/** The `Set-Cookie` value of a session id, as express-session makes it. */
export const signedSessionCookie = (secret: string, sid: string, isHttps: boolean): string => {
  const value = encodeURIComponent(`s:${sid}.${signatureOf(secret, sid).toString()}`);
  return setCookie(value, isHttps);
};

/** A `Set-Cookie` value that makes the browser delete its session cookie. */
export const clearedSessionCookie = (isHttps: boolean): string =>
  setCookie('', isHttps, 'Expires=Thu, 01 Jan 1970 00:00:00 GMT');

const setCookie = (value: string, isHttps: boolean, ...attributes: readonly string[]): string =>
  [
    `${sessionCookieName(isHttps)}=${value}`,
    'Path=/',
    ...attributes,
    'HttpOnly',
    ...(isHttps ? ['Secure'] : []),
    'SameSite=Strict',
  ].join('; ');

const cookieValue = (header: string, name: string): string | null => {
  for (const pair of header.split(';')) {
    const equals = pair.indexOf('=');
    if (equals > 0 && pair.slice(0, equals).trimStart() === name) {
      return decode(pair.slice(equals + 1).trim());
    }
  }
  return null;
};

/** A value with broken escapes stays as it is, and then has no good signature. */
const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** As the package cookie-signature makes it; always 43 characters. */
const signatureOf = (key: KeyObject | string, sid: string): Buffer =>
  Buffer.from(createHmac('sha256', key).update(sid).digest('base64').replace(/=+$/, ''));
