/**
 * The prefix of the cookies that hold sign-ins through a provider. The rest of a name identifies the
 * attempt, so that two tabs do not replace each other's. Browsers keep a `__Host-` cookie to one
 * host: no neighbouring host can plant an attempt of its own.
 */
export const attemptCookiePrefix = (isHttps: boolean): string =>
  isHttps ? '__Host-commonplace.oidc.' : 'commonplace.oidc.';

/** More attempts at once make no sense; cookies beyond are ignored, and removed by the next attempt. */
export const attemptCookiesMax = 4;

/** Of all attempts of a browser together: the headers of a request have 16 KiB. */
export const attemptCookieBytesMax = 6 * 1024;

/** Reads the attempt cookies of a `Cookie` header, by name, in its order. */
export const readAttemptCookies = (
  header: string | undefined,
  isHttps: boolean,
): ReadonlyMap<string, string> => {
  const prefix = attemptCookiePrefix(isHttps);
  const found = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    if (name.startsWith(prefix) && !found.has(name)) {
      found.set(name, pair.slice(equals + 1).trim());
    }
  }
  return found;
};
