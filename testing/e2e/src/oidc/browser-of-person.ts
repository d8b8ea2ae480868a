/** A response that a person's browser got, its redirect not followed. */
export type Visit = { readonly status: number; readonly location: string; readonly body: string };

/**
 * A browser without pages: it keeps cookies by host, and sends them as a browser does. The callback is
 * a navigation that begins at the provider, so it gets no cookie that is `SameSite=Strict`.
 */
export type PersonBrowser = {
  readonly visit: (url: string) => Promise<Visit>;
  /** Follows redirects until the callback of an instance, and returns its URL without opening it. */
  readonly toCallback: (url: string) => Promise<string>;
  /** Signs in: start, provider and callback. Returns the response of the callback. */
  readonly signIn: (baseUrl: string, query?: string) => Promise<Visit>;
  readonly cookies: (origin: string) => string;
  readonly setCookie: (origin: string, pair: string) => void;
};

const stepsMax = 12;

/** The cookies of a browser. */
const createCookies = () => {
  const jars = new Map<string, Map<string, string>>();
  const strict = new Set<string>();
  const jarOf = (url: string) => {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };
  const set = (url: string, line: string): void => {
    const [pair = ''] = line.split(';');
    const [name = '', ...value] = pair.split('=');
    if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) {
      jarOf(url).delete(name);
    } else {
      jarOf(url).set(name, value.join('='));
    }
    if (/samesite=strict/i.test(line)) {
      strict.add(name);
    }
  };
  const of = (url: string, { isCrossSite }: { readonly isCrossSite: boolean }) =>
    [...jarOf(url)]
      .filter(([name]) => !isCrossSite || !strict.has(name))
      .map(([name, value]) => `${name}=${value}`)
      .join('; ');
  return { set, of };
};

/** Creates a browser. */
export const createBrowser = (): PersonBrowser => {
  const jar = createCookies();
  const visit = async (url: string): Promise<Visit> => {
    const cookie = jar.of(url, { isCrossSite: url.includes('/api/auth/oidc/callback') });
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' },
    });
    for (const line of response.headers.getSetCookie()) {
      jar.set(url, line);
    }
    const location = response.headers.get('location');
    return {
      status: response.status,
      location: location === null ? '' : new URL(location, url).toString(),
      body: await response.text(),
    };
  };
  const toCallback = (url: string): Promise<string> => followToCallback(visit, url);
  return {
    visit,
    toCallback,
    signIn: async (baseUrl, query = '') =>
      visit(await toCallback(`${baseUrl}/api/auth/oidc/start${query}`)),
    cookies: (url) => jar.of(url, { isCrossSite: false }),
    setCookie: jar.set,
  };
};

const followToCallback = async (visit: PersonBrowser['visit'], url: string): Promise<string> => {
  let next = url;
  for (let step = 0; step < stepsMax; step += 1) {
    const { location, status, body } = await visit(next);
    if (location === '') {
      throw new Error(`No redirect from ${next}: ${status} ${body.slice(0, 500)}`);
    }
    if (location.includes('/api/auth/oidc/callback')) {
      return location;
    }
    next = location;
  }
  throw new Error('Too many redirects');
};
