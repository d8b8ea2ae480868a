/**
 * The cookies of the browser in which an app began to connect: the consent page and the way back to the app each have
 * one, with a signature beside it. Their paths contain the id of the attempt, so that two tabs do not meet.
 */
export const consentCookieNames = (isHttps: boolean) => {
  const prefix = isHttps ? '__Secure-commonplace' : 'commonplace';
  return { interaction: `${prefix}.consent`, resume: `${prefix}.connect` } as const;
};

/** All that may be forwarded and set, signatures included. */
export const consentCookieList = (isHttps: boolean): readonly string[] =>
  Object.values(consentCookieNames(isHttps)).flatMap((name) => [name, `${name}.sig`]);

/** The cookies of a consent in a `Cookie` header, in their original form; empty without any. */
export const readConsentCookies = (header: string | undefined, isHttps: boolean): string[] => {
  const names = consentCookieList(isHttps);
  const found = new Map<string, string>();
  for (const pair of (header ?? '').split(';')) {
    const name = pair.slice(0, Math.max(pair.indexOf('='), 0)).trimStart();
    if (names.includes(name) && !found.has(name)) {
      found.set(name, pair.trim());
    }
  }
  return [...found.values()];
};
