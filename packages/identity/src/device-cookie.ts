/**
 * The name of the cookie by which a browser is known after a sign-in. It is not a credential: it gives the attempts of
 * that browser counters of their own.
 */
export const deviceCookieName = (isHttps: boolean): string =>
  isHttps ? '__Host-commonplace.device' : 'commonplace.device';

/** Reads the device cookie of a `Cookie` header; null without a well-formed one. */
export const readDeviceCookie = (header: string | undefined, isHttps: boolean): string | null => {
  const prefix = `${deviceCookieName(isHttps)}=`;
  const pair = (header ?? '')
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(prefix));
  const value = pair?.slice(prefix.length) ?? '';
  return /^[\w-]{43}$/.test(value) ? value : null;
};
